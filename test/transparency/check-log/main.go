// Checks a whole log by its files, and nothing of ours: check-log <verifier key> <directory>
package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"sort"
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

// The directory as C2SP tlog-tiles lays it out.
type directory string

func (directory) Height() int                     { return 8 }
func (directory) SaveTiles([]tlog.Tile, [][]byte) {}

func (dir directory) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var all [][]byte
	for _, tile := range tiles {
		data, err := dir.read(strconv.Itoa(tile.L), tile.N, tile.W)
		if err != nil {
			return nil, err
		}
		all = append(all, data)
	}
	return all, nil
}

func (dir directory) read(level string, n int64, width int) ([]byte, error) {
	name := fmt.Sprintf("%03d", n%1000)
	for n /= 1000; n > 0; n /= 1000 {
		name = fmt.Sprintf("x%03d/%s", n%1000, name)
	}
	if width < 256 {
		name += fmt.Sprintf(".p/%d", width)
	}
	return os.ReadFile(filepath.Join(string(dir), "tile", level, name))
}

func (dir directory) entries(size int64) [][]byte {
	var all [][]byte
	for n := int64(0); n*256 < size; n++ {
		width := size - n*256
		if width > 256 {
			width = 256
		}
		bundle, err := dir.read("entries", n, int(width))
		check(err)
		for len(bundle) > 0 {
			end := 2 + int(binary.BigEndian.Uint16(bundle))
			if end > len(bundle) {
				check(fmt.Errorf("an entry of bundle %d is cut off", n))
			}
			all = append(all, bundle[2:end])
			bundle = bundle[end:]
		}
	}
	return all
}

func openCheckpoint(path string, verifier note.Verifier) tlog.Tree {
	signed, err := os.ReadFile(path)
	check(err)
	opened, err := note.Open(signed, note.VerifierList(verifier))
	check(err)
	lines := strings.Split(opened.Text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	check(err)
	root, err := tlog.ParseHash(lines[2])
	check(err)
	return tlog.Tree{N: size, Hash: root}
}

func main() {
	verifier, err := note.NewVerifier(os.Args[1])
	check(err)
	dir := directory(os.Args[2])
	names, err := filepath.Glob(filepath.Join(string(dir), "checkpoints", "*[0-9]"))
	check(err)
	var trees []tlog.Tree
	for _, name := range names {
		trees = append(trees, openCheckpoint(name, verifier))
	}
	sort.Slice(trees, func(i, j int) bool { return trees[i].N < trees[j].N })
	last := trees[len(trees)-1]
	if openCheckpoint(filepath.Join(string(dir), "checkpoint"), verifier) != last {
		check(fmt.Errorf("the latest checkpoint is another one"))
	}
	hashes := tlog.TileHashReader(last, dir)
	for i, old := range trees {
		for _, grown := range trees[i+1:] {
			proof, err := tlog.ProveTree(grown.N, old.N, hashes)
			check(err)
			check(tlog.CheckTree(proof, grown.N, grown.Hash, old.N, old.Hash))
		}
	}
	entries := dir.entries(last.N)
	if int64(len(entries)) != last.N {
		check(fmt.Errorf("the log has %d entries", len(entries)))
	}
	for n, entry := range entries {
		proof, err := tlog.ProveRecord(last.N, int64(n), hashes)
		check(err)
		check(tlog.CheckRecord(proof, last.N, last.Hash, int64(n), tlog.RecordHash(entry)))
	}
	fmt.Println("whole:", len(entries), "entries,", len(trees), "checkpoints")
}
