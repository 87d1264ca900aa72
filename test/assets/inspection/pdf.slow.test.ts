import { deflateSync } from "node:zlib";
import { PDFDocument } from "@cantoo/pdf-lib";
import { describe, expect, test } from "vitest";
import { inspectContent } from "#domain/assets/inspection/inspect-content.js";
import { content, flate, onePage, type PdfObject, pdf, pdfkitTemplate, stream } from "./make-pdf.js";
import { accepts, refusal, refuses } from "./refusal.js";

const MIB = 1024 * 1024;
const template = await pdfkitTemplate();

/** The content of a page encoded as ASCII85. */
const ascii85 = stream(
  "/Filter [/ASCII85Decode /FlateDecode]",
  Buffer.from(toAscii85(deflateSync("0 g 1 1 9 9 re f"))),
);

function toAscii85(bytes: Buffer): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    const group = Buffer.alloc(4);
    const length = bytes.copy(group, 0, at, at + 4);
    let value = group.readUInt32BE(0);
    const digits = Array.from({ length: 5 }, () => {
      const digit = String.fromCharCode(33 + (value % 85));
      value = Math.floor(value / 85);
      return digit;
    }).reverse();
    text += digits.slice(0, length + 1).join("");
  }
  return `${text}~>`;
}

/** Compresses objects and the table of references, as most current programs do. */
async function withObjectStreams(): Promise<Buffer> {
  const document = await PDFDocument.load(template);
  return Buffer.from(await document.save({ useObjectStreams: true }));
}

/** Returns a file with a page tree whose objects begin at 2. */
const tree = (...nodes: string[]) => pdf(["<< /Type /Catalog /Pages 2 0 R >>", ...nodes, content]);
const leaf = (parent: number, contents: number) =>
  `<< /Type /Page /Parent ${parent} 0 R /MediaBox [0 0 842 595] /Contents ${contents} 0 R >>`;

/** Returns a page tree in which each node has one child. */
const deepTree = (depth: number) =>
  tree(
    ...Array.from(
      { length: depth },
      (_, i) => `<< /Type /Pages /Kids [${i + 3} 0 R] /Count 1 ${i > 0 ? `/Parent ${i + 1} 0 R` : ""} >>`,
    ),
    leaf(depth + 1, depth + 3),
  );

describe("a PDF is accepted", () => {
  accepts("pdf", {
    "of pdfkit": template,
    "of pdfkit, not compressed": pdfkitTemplate({ compress: false, pdfVersion: "1.3" }),
    "of pdfkit, tagged": pdfkitTemplate({ tagged: true, lang: "en", pdfVersion: "1.7" }),
    "with compressed objects": withObjectStreams(),
    "with its content in text form": onePage({ content: ascii85 }),
    "with links as other systems write them": onePage({
      page: `/Annots [${[
        "www.example.org/verify",
        "/mod/customcert/verify_certificate.php?code=a:b",
        "verify.html#a",
        "?id=1",
      ]
        .map((uri) => `<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (${uri}) >> >>`)
        .join(" ")}]`,
    }),
    "with a mask for one of many drawings": masks(
      1,
      1,
      `q /G gs 0 0 9 9 re f Q ${"0 0 9 9 re f ".repeat(50_000)}`,
    ),
    "with many small groups": onePage({
      page: "/Resources << /XObject << /F 5 0 R >> >>",
      content: flate("q 1 0 0 1 9 9 cm /F Do Q ".repeat(20_000)),
      more: [group("[0 0 9 9]")],
    }),
    "with triggers for nothing": onePage({ catalog: "/AA << >>", page: "/AA << >>" }),
    "with triggers that show another place": onePage({ page: "/AA << /O << /S /GoTo /D [3 0 R /Fit] >> >>" }),
    "with a base of its links": onePage({ catalog: "/URI << /Base (https://example.org/) >>" }),
    "that opens at its first page": onePage({ catalog: "/OpenAction [3 0 R /Fit]" }),
    "that opens at its first page by an action": onePage({
      catalog: "/OpenAction << /S /GoTo /D [3 0 R /Fit] >>",
    }),
    "whose page doesn't begin at 0,0": onePage({ mediaBox: "[-100 700.5 742 105.5]" }),
    "that is turned and cropped": onePage({ page: "/Rotate 270 /CropBox [10 10 832 585]" }),
    "with links to pages of the web": onePage({
      page: "/Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 9 9] /A << /S /URI /URI (https://example.org/) >> >>]",
    }),
    "with a form that has no fields": onePage({ catalog: "/AcroForm << /Fields [] >>" }),
    "with a stream whose length stands elsewhere": onePage({
      content: Buffer.from(content.toString("latin1").replace(/\/Length \d+/, "/Length 5 0 R"), "latin1"),
      more: ["26"],
    }),
    "of a few hundred pages": tree(
      `<< /Type /Pages /Count 300 /Kids [${Array.from({ length: 300 }, (_, i) => `${i + 3} 0 R`).join(" ")}] >>`,
      ...Array<string>(300).fill(leaf(2, 303)),
    ),
    "whose page is ten nodes down": deepTree(10),
    "with a large image": onePage({
      page: "/Resources << /XObject << /Im0 5 0 R >> >>",
      more: [
        flate(
          Buffer.alloc(35 * MIB, 200),
          "/Type /XObject /Subtype /Image /Width 3508 /Height 2480 /ColorSpace /DeviceCMYK /BitsPerComponent 8",
        ),
      ],
    }),
  });
});

describe("a PDF is refused that is encrypted or broken:", () => {
  refuses({
    "is encrypted": {
      "with a password": pdfkitTemplate({ userPassword: "a", ownerPassword: "b" }),
      "with restrictions": pdfkitTemplate({ ownerPassword: "b", permissions: { printing: "lowResolution" } }),
      "with restrictions, of today's kind": pdfkitTemplate({ ownerPassword: "b", pdfVersion: "1.7ext3" }),
    },
    broken: {
      "cut off in the middle": template.subarray(0, template.length / 2),
      "a header and noise": Buffer.from("%PDF-1.7\n1 0 obj << /a"),
    },
    "broken page tree": {
      "a header alone": Buffer.from("%PDF-1.7\n"),
      "without a catalog": pdf(["<< /Type /Pages /Kids [] >>"]),
      "with a page that is none": tree("<< /Type /Pages /Kids [9 0 R] /Count 1 >>"),
    },
    "has no pages": { "without pages": tree("<< /Type /Pages /Kids [] /Count 0 >>") },
    damaged: {
      "with a content that ends early": onePage({
        content: stream("/Filter /FlateDecode", deflateSync("0 g 1 1 9 9 re f").subarray(0, -6)),
      }),
    },
  });
});

describe("a PDF is refused that would take too many resources:", () => {
  const zeros = Buffer.alloc(250 * MIB);
  const bomb = deflateSync(zeros);
  const objectStream = "/Type /ObjStm /N 1 /First 4";
  const chain = Array.from({ length: 20_000 }, (_, i) => `<< /Next${i % 7} ${i + 6} 0 R >>`);

  refuses({
    "is more than 64 MiB when decompressed": {
      "its content inflates to 250 MB": onePage({ content: stream("/Filter /FlateDecode", bomb) }),
      "an image inflates to 250 MB": onePage({
        more: [stream("/Subtype /Image /Filter /FlateDecode", bomb)],
      }),
      "its objects inflate to 250 MB": onePage({
        more: [stream(`${objectStream} /Filter /FlateDecode`, bomb)],
      }),
      "its references inflate to 250 MB": onePage({
        more: [stream("/Type /XRef /Size 1 /W [1 1 1] /Filter /FlateDecode", bomb)],
      }),
    },
    "is more than 128 MiB when decompressed": {
      "ten streams inflate to 40 MB each": onePage({
        more: Array<PdfObject>(10).fill(flate(zeros.subarray(0, 40 * MIB))),
      }),
    },
    "MiB when decompressed": {
      "a stream is hidden in a comment": onePage({
        more: [Buffer.concat([Buffer.from("null % stream\n"), bomb])],
      }),
      "a stream is hidden in a text": onePage({
        more: [Buffer.concat([Buffer.from("(stream\r\n"), bomb, Buffer.from(")")])],
      }),
      "its content is a bomb in text form": onePage({
        content: stream("/Filter [/ASCII85Decode /FlateDecode]", Buffer.from(toAscii85(bomb))),
      }),
    },
    "compressed in an outdated or unusual way": {
      "a stream is compressed twice": onePage({
        content: stream("/Filter [/FlateDecode /FlateDecode]", deflateSync(bomb)),
      }),
    },
    LZWDecode: {
      "a stream is compressed by LZW": onePage({ content: stream("/Filter /LZWDecode", Buffer.alloc(10)) }),
    },
    RunLengthDecode: {
      "a stream is compressed by lengths of runs": onePage({
        content: stream("/Filter /RunLengthDecode", Buffer.alloc(10)),
      }),
    },
    "doesn't state clearly": {
      "a filter stands elsewhere": onePage({
        content: stream("/Filter 5 0 R", bomb),
        more: ["[/FlateDecode /FlateDecode]"],
      }),
      "a filter in an array stands elsewhere": onePage({
        content: stream("/Filter [5 0 R]", bomb),
        more: ["/FlateDecode"],
      }),
    },
    "obscures its structure": {
      "a filter is disguised": onePage({ content: stream("/F#69lter [/FlateDecode /FlateDecode]", bomb) }),
    },
    "both compressed objects and ASCII-encoded parts": {
      "compressed objects are in text form": onePage({
        more: [stream(`${objectStream} /Filter [/ASCII85Decode /FlateDecode]`, Buffer.from(toAscii85(bomb)))],
      }),
    },
    PDF: {
      "a compressed object is a compressed stream": onePage({
        more: [
          stream(
            objectStream,
            Buffer.concat([
              Buffer.from("50 0 "),
              stream("/Filter [/ASCIIHexDecode /FlateDecode]", Buffer.from(bomb.toString("hex"))),
            ]),
          ),
        ],
      }),
    },
    "more than 16 MiB": {
      "its content is of more than 16 MiB": onePage({ content: flate(zeros.subarray(0, 17 * MIB)) }),
    },
    "more than": {
      "its content is the same a thousand times": onePage({
        page: `/Contents [${"5 0 R ".repeat(1000)}]`,
        more: [flate(zeros.subarray(0, 2 * MIB))],
      }),
    },
    "is circular": {
      "its page tree is circular": tree(
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Pages /Parent 2 0 R /Kids [2 0 R] /Count 1 >>",
      ),
      "its page tree is circular without parents": tree(
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Pages /Kids [2 0 R] /Count 1 >>",
      ),
      "its page tree multiplies": tree("<< /Type /Pages /Kids [3 0 R 3 0 R] /Count 2 >>", leaf(2, 4)),
    },
    "broken page tree": {
      "a page is the parent of itself": tree("<< /Type /Pages /Kids [3 0 R] /Count 1 >>", leaf(3, 4)),
      "its root is its own parent": tree(
        "<< /Type /Pages /Parent 2 0 R /Kids [3 0 R] /Count 1 >>",
        leaf(2, 4),
      ),
    },
    "more than 40 deep": { "its page tree is 5000 deep": deepTree(5000) },
    "more than 2000 pages": {
      "it has 2001 pages": tree(
        `<< /Type /Pages /Kids [${Array.from({ length: 2001 }, (_, i) => `${i + 3} 0 R`).join(" ")}] >>`,
        ...Array<string>(2001).fill(leaf(2, 4)),
      ),
    },
    objects: { "it has 100,001 objects": onePage({ more: Array<string>(100_001).fill("1") }) },
    "its parts are broken": { "its annotations are no list": onePage({ page: "/Annots /No" }) },
    broken: { "its arrays are nested 100,000 deep": onePage({ more: ["[".repeat(100_000)] }) },
    "nested too deep": {
      "its arrays are nested 1000 deep": onePage({ more: ["[".repeat(1000) + "]".repeat(1000)] }),
      "its objects are a chain of 20,000": onePage({ page: "/Resources << /Pattern 5 0 R >>", more: chain }),
    },
    "more than 20000 streams": {
      "it has 30,000 streams": onePage({ more: Array<PdfObject>(30_000).fill(stream("", Buffer.alloc(0))) }),
    },
  });
});

describe("a PDF is refused that contains", () => {
  const script = "<< /S /JavaScript /JS (app.alert\\(1\\)) >>";

  test.each<[string, Buffer]>([
    ["JavaScript", onePage({ catalog: `/OpenAction ${script}` })],
    ["JavaScript", onePage({ catalog: `/Names << /JavaScript << /Names [(a) ${script}] >> >>` })],
    ["JavaScript", onePage({ catalog: "/OpenAction << /S /J#61vaScript /J#53 (1) >>" })],
    [
      "JavaScript",
      onePage({ catalog: "/OpenAction 5 0 R", more: ["<< /S 6 0 R /JS 7 0 R >>", "/JavaScript", "(1)"] }),
    ],
    ["an action of the type Launch", onePage({ catalog: "/OpenAction << /S /Launch /F (calc.exe) >>" })],
    [
      "an action of the type SubmitForm",
      onePage({ page: "/Annots [<< /Subtype /Link /Rect [0 0 1 1] /A << /S /SubmitForm >> >>]" }),
    ],
    [
      "automatic actions",
      onePage({ catalog: "/OpenAction << /S /GoTo /Next [<< /S /GoToR /F (a.pdf) >>] >>" }),
    ],
    [
      "an action of the type GoToR",
      onePage({
        page: "/Annots [<< /Subtype /Link /Rect [0 0 1 1] /A << /S /GoTo /Next [<< /S /GoToR /F (a.pdf) >>] >> >>]",
      }),
    ],
    ["automatic actions", onePage({ page: "/AA << /O << /S /Named /N /Print >> >>" })],
    ["automatic actions", onePage({ catalog: "/OpenAction << /S /Named /N /Print >>" })],
    ["automatic actions", onePage({ catalog: "/OpenAction << /S /URI /URI (https://a.test/) >>" })],
    [
      "automatic actions",
      onePage({
        page: "/AA << /C << /S /GoTo /D [3 0 R /Fit] /Next << /S /URI /URI (https://a.test/) >> >> >>",
      }),
    ],
    ['links that start from "file:', onePage({ catalog: "/URI << /Base (file:///etc/) >>" })],
    ...[
      "//files.test/a",
      "\\\\\\\\files.test\\\\a",
      " java\\nscript:alert",
      "data:text/html,a",
      "C:/a.exe",
    ].map((uri): [string, Buffer] => [
      "a link to",
      onePage({ page: `/Annots [<< /Subtype /Link /Rect [0 0 1 1] /A << /S /URI /URI (${uri}) >> >>]` }),
    ]),
    [
      'a link to "javascript:alert',
      onePage({
        page: "/Annots [<< /Subtype /Link /Rect [0 0 1 1] /A << /S /URI /URI (javascript:alert\\(1\\)) >> >>]",
      }),
    ],
    [
      'a link to "file:///',
      onePage({
        page: "/Annots [<< /Subtype /Link /Rect [0 0 1 1] /A << /S /URI /URI (file:///etc/passwd) >> >>]",
      }),
    ],
    [
      "an embedded file",
      onePage({
        catalog: "/Names << /EmbeddedFiles << /Names [(a) 5 0 R] >> >>",
        more: ["<< /Type /Filespec >>"],
      }),
    ],
    [
      "an embedded file",
      onePage({
        more: [
          "<< /Type /Filespec /F (a) /EF << /F 6 0 R >> >>",
          stream("/Type /EmbeddedFile", Buffer.from("MZ")),
        ],
      }),
    ],
    ["an attached file", onePage({ page: "/Annots [<< /Subtype /FileAttachment /Rect [0 0 1 1] >>]" })],
    ["an XFA form", onePage({ catalog: "/AcroForm << /Fields [] /XFA (x) >>" })],
    [
      "a form to fill in",
      onePage({ catalog: "/AcroForm << /Fields [5 0 R] >>", more: ["<< /FT /Tx /T (name) >>"] }),
    ],
    ["a form field", onePage({ page: "/Annots [<< /Subtype /Widget /Rect [0 0 1 1] >>]" })],
    ["video or sound", onePage({ page: "/Annots [<< /Subtype /RichMedia /Rect [0 0 1 1] >>]" })],
    ["a 3D scene", onePage({ page: "/Annots [<< /Subtype /3D /Rect [0 0 1 1] >>]" })],
    ["data in another file", onePage({ content: stream("/F (/etc/passwd)", Buffer.from("0 g")) })],
  ])("%s", async (what, bytes) => {
    expect(await refusal(inspectContent(bytes))).toContain(`The PDF contains ${what}`);
  });
});

describe("a PDF is refused whose first page", () => {
  refuses({
    "no valid size": {
      "has no size": onePage({ mediaBox: "null" }),
      "has three coordinates": onePage({ mediaBox: "[0 0 842]" }),
      "has words for coordinates": onePage({ mediaBox: "[0 0 /A /B]" }),
      "is endless": onePage({ mediaBox: "[0 0 1000000000000000 595]" }),
    },
    "842 x 20 points": { "is too small": onePage({ mediaBox: "[0 0 842 20]" }) },
    "14401 x 595 points": { "is too large": onePage({ mediaBox: "[0 0 14401 595]" }) },
    "0 x 0 points": { "is cropped to nothing": onePage({ page: "/CropBox [10 10 10 10]" }) },
    "a multiple of 90 degrees": { "is turned by 45 degrees": onePage({ page: "/Rotate 45" }) },
    UserUnit: { "has a unit of its own": onePage({ page: "/UserUnit 100" }) },
    "is empty": { "has no content": onePage({ page: "/Contents null" }) },
    "is broken": { "has a number for content": onePage({ page: "/Contents 12" }) },
  });
});

/** Returns forms from object 5 on. Each draws the next form `times` times. */
const nested = (depth: number, times: number) =>
  Array.from({ length: depth }, (_, i) =>
    stream(
      `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F ${i + 6} 0 R >> >>`,
      Buffer.from(i < depth - 1 ? "/F Do ".repeat(times) : "0 0 1 1 re f"),
    ),
  );
const draws = { page: "/Resources << /XObject << /F 5 0 R >> >>", content: stream("", Buffer.from("/F Do")) };
const image = (entries: string, data: Uint8Array) =>
  onePage({
    page: "/Resources << /XObject << /F 5 0 R >> >>",
    more: [stream(`/Type /XObject /Subtype /Image /BitsPerComponent 8 ${entries}`, data)],
  });
const pattern = (step: number) =>
  onePage({
    page: "/Resources << /Pattern << /P 5 0 R >> >>",
    content: stream("", Buffer.from("/Pattern cs /P scn 0 0 800 500 re f")),
    more: [
      stream(
        `/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep ${step} /YStep ${step} /Resources <<>>`,
        Buffer.from("0 0 1 1 re f"),
      ),
    ],
  });

const drawing = (operators: string) => onePage({ content: flate(operators) });
const form = (operators: string, before = "") =>
  onePage({
    ...draws,
    content: flate(`${before}/F Do`),
    more: [flate(operators, "/Type /XObject /Subtype /Form /BBox [0 0 9 9]")],
  });
const parts = (operators: string) =>
  pdf([
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 842 595] /Contents [4 0 R 4 0 R] >>",
    flate(operators),
  ]);

const group = (box: string) =>
  stream(
    `/Type /XObject /Subtype /Form /BBox ${box} /Group << /S /Transparency /CS /DeviceGray >>`,
    Buffer.from("0 0 842 595 re f"),
  );

/** Returns a page with soft masks. Each draws the next mask several times. */
function masks(count: number, times: number, drawing = "/G gs 0 0 842 595 re f"): Buffer {
  return onePage({
    page: "/Resources << /ExtGState << /G << /SMask << /S /Alpha /G 5 0 R >> >> >> >>",
    content: flate(drawing),
    more: Array.from({ length: count }, (_, index) => {
      const next = `/Resources << /ExtGState << /G << /SMask << /S /Alpha /G ${index + 6} 0 R >> >> >> >>`;
      return stream(
        `/Type /XObject /Subtype /Form /BBox [0 0 842 595] /Group << /S /Transparency /CS /DeviceGray >> ${index < count - 1 ? next : ""}`,
        Buffer.from(`${index < count - 1 ? "/G gs " : ""}${"0 0 842 595 re f ".repeat(times)}`),
      );
    }),
  });
}

describe("a PDF is refused that viewers would draw for hours:", () => {
  refuses({
    "draws more than 100000 times": { "forms within forms": onePage({ ...draws, more: nested(13, 7) }) },
    "contains itself": {
      "a form that draws itself": onePage({
        ...draws,
        more: [
          stream(
            "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F 5 0 R >> >>",
            Buffer.from("/F Do"),
          ),
        ],
      }),
      "a mask within itself": onePage({
        page: "/Resources << /ExtGState << /G << /SMask << /S /Alpha /G 5 0 R >> >> >> >>",
        content: stream("", Buffer.from("/G gs")),
        more: [
          stream(
            "/Subtype /Form /BBox [0 0 9 9] /Resources << /ExtGState << /G << /SMask << /G 5 0 R >> >> >> >>",
            Buffer.from("/G gs"),
          ),
        ],
      }),
    },
    "has more than 4000 groups, masks and shadings": {
      "masks that draw the next one three times": masks(9, 3),
      "a mask under which everything is painted": masks(
        1,
        1,
        "/G gs ".concat("0 0 842 595 re f ".repeat(5_000)),
      ),
      "20,000 groups of the whole page": onePage({
        page: "/Resources << /XObject << /F 5 0 R >> >>",
        content: flate("/F Do ".repeat(20_000)),
        more: [group("[0 0 842 595]")],
      }),
      "small groups that are enlarged": onePage({
        page: "/Resources << /XObject << /F 5 0 R >> >>",
        content: flate(`10 0 0 10 0 0 cm ${"/F Do ".repeat(20_000)}`),
        more: [group("[0 0 84.2 59.5]")],
      }),
      "90,000 shadings": onePage({
        page: "/Resources << /Shading << /S << /ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 842 0] /Function << /FunctionType 2 /Domain [0 1] /N 1 >> >> >> >>",
        content: flate("/S sh ".repeat(90_000)),
      }),
    },
    "nested more than 30 deep": { "forms nested without end": onePage({ ...draws, more: nested(40, 1) }) },
    "repeats a pattern": {
      "a pattern of tiny steps": pattern(0.01),
      "a pattern without steps": pattern(0),
    },
    "glyphs contain other drawings": {
      "letters that draw forms": onePage({
        page: "/Resources << /Font << /T << /Type /Font /Subtype /Type3 /CharProcs << /a 5 0 R >> >> >> >>",
        content: stream("", Buffer.from("BT /T 12 Tf (aaaa) Tj ET")),
        more: [stream("", Buffer.from("1 0 d0 /F Do"))],
      }),
    },
    "image of 60000 x 60000 pixels": {
      "an image of 60000 x 60000 of 12 bytes": image(
        "/Width 60000 /Height 60000 /ColorSpace /DeviceRGB",
        Buffer.alloc(12),
      ),
    },
    "cut off": {
      "an image that is cut off": image("/Width 10 /Height 10 /ColorSpace /DeviceRGB", Buffer.alloc(12)),
    },
    "pixels within a drawing": {
      "a huge image in the content": onePage({
        content: stream("", Buffer.from("BI /W 60000 /H 60000 /CS /G /BPC 8 ID x EI")),
      }),
    },
    "keeps more than 256 graphics states": {
      "a million saved graphics states": drawing("q ".repeat(1_000_000)),
    },
    "graphics states": {
      "states that only seem restored": drawing("q % Q\n".repeat(300)),
      "states restored in texts": drawing("q (\\) Q (Q)) Tj <Q> Tj ".repeat(300)),
      "states restored in a picture": drawing("q BI /W 1 ID Q EI ".repeat(300)),
      "states saved right behind numbers": drawing("1q ".repeat(300)),
      "states saved by the parts of a content": parts("q ".repeat(200)),
      "a form that saves states": form("q ".repeat(300)),
    },
    "marks open": { "marks without an end": drawing("/A BMC ".repeat(300)) },
    "path of more than": { "a path of a million lines": drawing(`0 0 m ${"9 9 l ".repeat(1_000_000)} f`) },
    dashes: {
      "a long line of tiny dashes": drawing("[.01 .01] 0 d 0 0 m 99999 0 l S"),
      "a curve of them": drawing("[.01 .01]0 d 0 0 m 9 9 9 9 9999 9999 c S"),
      "rectangles of them": drawing(`[.1 .1] % \n 0 d ${"0 0 999 999 re S ".repeat(999)}`),
      "dashes behind a text and a picture": drawing("(%) Tj BI /W 1 ID ( EI [.01] 0 d 0 0 m 0 99999 l S"),
      "a form that inherits dashes": form("0 0 m 99999 0 l S", "[.01 .01] 0 d "),
      "dashes of a graphics state": onePage({
        page: "/Resources << /ExtGState << /G << /D [[.01 .01] 0] >> >> >>",
        content: stream("", Buffer.from("/G gs 0 0 m 99999 0 l S")),
      }),
    },
    "a PostScript program": {
      "a PostScript program": onePage({
        ...draws,
        more: [stream("/Type /XObject /Subtype /PS", Buffer.from("{loop}"))],
      }),
    },
  });

  test("but a PDF is accepted that draws a form often, or repeats an ordinary pattern", async () => {
    expect(await inspectContent(onePage({ ...draws, more: nested(3, 100) }))).toBe("pdf");
    expect(await inspectContent(pattern(8))).toBe("pdf");
  });

  test("but a PDF is accepted that has ordinary dashes, or long lines without any", async () => {
    expect(await inspectContent(drawing(`[3 2] 0 d ${"0 0 m 842 595 l S ".repeat(2_000)} [] 0 d`))).toBe(
      "pdf",
    );
    expect(await inspectContent(drawing("[] 0 d [0 0] 0 d 0 0 m 9999999 0 l S"))).toBe("pdf");
    expect(await inspectContent(drawing("1000 0 0 1000 0 0 cm [.003 .002] 0 d 0 0 m 1 1 l S"))).toBe("pdf");
  });

  test("but a PDF is accepted that saves states often, deep enough for any program, or in its text", async () => {
    expect(await inspectContent(drawing("q 0 0 9 9 re f Q ".repeat(100_000)))).toBe("pdf");
    expect(await inspectContent(drawing(`${"q ".repeat(60)}0 0 9 9 re f`))).toBe("pdf");
    expect(await inspectContent(drawing(`BT [${"(q) 20 ".repeat(10_000)}] TJ (q q q) Tj ET`))).toBe("pdf");
  });
});
