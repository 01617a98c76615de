package api_test

import (
	"os"
	"testing"

	"demarc/store/storetest"
)

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }
