package web_test

import (
	"os"
	"testing"

	"demarc/store/storetest"
)

func TestMain(m *testing.M) {
	code := storetest.Main(m)
	stopBrowser()
	os.Exit(code)
}
