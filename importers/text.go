package importers

import (
	"bufio"
	"bytes"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

var utf8BOM = []byte("\xef\xbb\xbf")

// Text gives r without a byte order mark and, where it is UTF-16, as UTF-8;
// transcoded says that it was. UTF-16 without a mark is known by a first
// character "<", "{" or "[". Any other encoding passes unchanged. Text of Text
// is the same text.
func Text(r io.Reader) (text *bufio.Reader, transcoded bool, err error) {
	in := bufio.NewReaderSize(r, HeadSize)
	head, err := in.Peek(4)
	if err != nil && err != io.EOF {
		return nil, false, err
	}
	if bytes.HasPrefix(head, utf8BOM) {
		_, _ = in.Discard(len(utf8BOM)) // Peek has just shown these bytes
		return in, false, nil
	}
	endian, ok := utf16Of(head)
	if !ok {
		return in, false, nil
	}
	decoder := unicode.UTF16(endian, unicode.UseBOM).NewDecoder()
	return bufio.NewReaderSize(transform.NewReader(in, decoder), HeadSize), true, nil
}

func utf16Of(head []byte) (unicode.Endianness, bool) {
	if len(head) < 2 {
		return unicode.LittleEndian, false
	}
	switch {
	case head[0] == 0xff && head[1] == 0xfe:
		return unicode.LittleEndian, true
	case head[0] == 0xfe && head[1] == 0xff:
		return unicode.BigEndian, true
	case opens(head[0]) && head[1] == 0:
		return unicode.LittleEndian, true
	case head[0] == 0 && opens(head[1]):
		return unicode.BigEndian, true
	default:
		return unicode.LittleEndian, false
	}
}

func opens(c byte) bool { return c == '<' || c == '{' || c == '[' }
