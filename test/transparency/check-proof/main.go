// Checks that a log has a file, by a proof of it, and nothing of ours: check-proof <verifier key> <proof> <file>
package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func check(err error) {
	if err != nil {
		fmt.Println("wrong:", err)
		os.Exit(1)
	}
}

func decode(text string) []byte {
	data, err := base64.StdEncoding.DecodeString(text)
	check(err)
	return data
}

func hash(text string) tlog.Hash {
	parsed, err := tlog.ParseHash(text)
	check(err)
	return parsed
}

func main() {
	verifier, err := note.NewVerifier(os.Args[1])
	check(err)
	proof, err := os.ReadFile(os.Args[2])
	check(err)
	file, err := os.ReadFile(os.Args[3])
	check(err)
	head, signed, _ := bytes.Cut(proof, []byte("\n\n"))
	lines := strings.Split(string(head), "\n")
	index, err := strconv.ParseInt(strings.TrimPrefix(lines[2], "index "), 10, 64)
	check(err)
	var path tlog.RecordProof
	for _, line := range lines[3:] {
		path = append(path, hash(line))
	}
	opened, err := note.Open(signed, note.VerifierList(verifier))
	check(err)
	text := strings.Split(opened.Text, "\n")
	size, err := strconv.ParseInt(text[1], 10, 64)
	check(err)

	digest := sha256.Sum256(file)
	wanted := "file_sha256: " + hex.EncodeToString(digest[:])
	isShown := false
	commitment := []byte("learning-credentials commitment v2\n")
	var event []byte
	for _, line := range strings.Split(string(decode(strings.TrimPrefix(lines[1], "extra "))), "\n") {
		part := strings.SplitN(line, " ", 3)
		switch part[0] {
		case "event":
			event = decode(part[1])
		case "hash":
			commitment = append(commitment, decode(part[1])...)
		case "open":
			salted := sha256.Sum256(append(decode(part[1]), part[2]...))
			commitment = append(commitment, salted[:]...)
			isShown = isShown || part[2] == wanted
			fmt.Println("shown:", part[2])
		}
	}
	if !isShown {
		check(fmt.Errorf("the proof is of another file"))
	}
	commit := sha256.Sum256(commitment)
	leaf := tlog.RecordHash(append(event, commit[:]...))
	check(tlog.CheckRecord(path, size, hash(text[2]), index, leaf))
	fmt.Println("included:", text[0], "signatures:", len(opened.Sigs))
}
