import type { HelpsWording } from "../en/helps.js";

export const words: HelpsWording = {
  "Slug of the asset to print on; default: the built-in design":
    "Nombre del archivo sobre el que se imprime; por defecto: el diseño propio",
  "Colour of an empty page on which these options place everything; without it, and without a template, the built-in design is printed":
    "Color de una página vacía en la que estas opciones colocan todo; sin él ni plantilla, se imprime el diseño propio",
  "Slug of the asset to print on when the context name has several lines":
    "Nombre del archivo sobre el que se imprime si el nombre del curso tiene varias líneas",
  "Style of all text elements that don't set their own": "Estilo de los textos que no fijan el suyo",
  "Slug of a font asset, or the name of a built-in family":
    "Nombre de un archivo de fuente, o de una familia propia",
  "Colour of the text: hex, accent, ink or paper, or a tint such as accent/40":
    "Color del texto: hexadecimal, accent, ink o paper, o un tono como accent/40",
  "Size in points": "Tamaño en puntos",
  "Space added between letters, in points": "Espacio añadido entre letras, en puntos",
  "Whether to print in capitals, by the rules of the language":
    "Si se imprime en mayúsculas, según el idioma",
  "Whether small letters are printed as small capitals, where the font has them":
    "Si las minúsculas se imprimen como versalitas, si la fuente las tiene",
  "Line spacing, as a multiple of the size": "Interlineado, como múltiplo del tamaño",
  "Text elements by name. name, context and date can be changed, or set to false; other elements need text and y":
    "Textos por nombre. name, context y date se pueden cambiar o poner en false; los demás necesitan text e y",
  "Position in points from the left; default: the middle of the page":
    "Posición en puntos desde la izquierda; por defecto: el centro de la página",
  "Baseline of the first line, in points from the bottom":
    "Línea base de la primera línea, en puntos desde abajo",
  "Which point of each line is at x": "Qué punto de cada línea está en x",
  "Maximum width in points. A longer text shrinks, then wraps, then breaks words; a text that would need less than 5 points is refused":
    "Anchura máxima en puntos. Un texto más largo se encoge, luego se divide en líneas y luego en palabras; uno que necesitaría menos de 5 puntos se rechaza",
  "Greatest number of lines of a text that wraps; default: 3, or 1 for a text without max_width":
    "Número máximo de líneas; por defecto: 3, o 1 sin max_width",
  "Share of its size to which a text shrinks before it wraps; default: 0.68":
    "Parte de su tamaño a la que se encoge un texto antes de dividirse; por defecto: 0.68",
  "Least size in points: a text that would have to be smaller is refused; default: 5":
    "Tamaño mínimo en puntos: un texto que debería ser menor se rechaza; por defecto: 5",
  "QR code of the verification URL; default: only in the built-in design":
    "Código QR de la dirección de verificación; por defecto: solo en el diseño propio",
  "Duration of the course in hours, for {hours} and the facts of the built-in design":
    "Duración del curso en horas, para {hours} y los datos del diseño propio",
  "Credits, such as 6 ECTS, for {credits} and the facts of the built-in design":
    "Créditos, como 6 ECTS, para {credits} y los datos del diseño propio",
  "The person who signs, for {signatory_name}, {signatory_title} and the signature line of the built-in design":
    "La persona que firma, para {signatory_name}, {signatory_title} y la línea de firma del diseño propio",
  "Name of the person who signs": "Nombre de quien firma",
  "Office of that person, such as Dean of Studies": "Cargo de esa persona, como decana",
  "The people who sign, side by side at places.signatures; default: the option signatory":
    "Quienes firman, uno junto a otro en places.signatures; por defecto: la opción signatory",
  "The title of the document by language, for {title} and {second.title}; default: the credential type":
    "El título del documento por idioma, para {title} y {second.title}; por defecto: el tipo",
  "Labels by names of facts; default: those of the language":
    "Rótulos por nombre de dato; por defecto: los del idioma",
  "Slug of a PNG, JPEG or SVG asset: a logo or coat of arms, at places.logo or at the top of the built-in design":
    "Nombre de un archivo PNG, JPEG o SVG: un logotipo o escudo, en places.logo o arriba en el diseño propio",
  "Where logo, facts, signatures and seal stand on a paper or template; what has no place is not printed":
    "Dónde están logotipo, datos, firmas y sello en una página; lo que no tiene lugar no se imprime",
  "Images, above the template and below the texts": "Imágenes, sobre la página y bajo los textos",
  "The page; a PDF template has its own": "La página; un PDF tiene la suya",
  "Paper size": "Tamaño del papel",
  "Orientation of the page": "Orientación de la página",
  "The colour accent; in the built-in design, that of frame, seal and issuer":
    "El color accent; en el diseño propio, el de marco, sello y emisor",
  "Encrypts with AES-256: anyone can open, print and copy the document, but nobody can change it; excludes PDF/A":
    "Cifra con AES-256: cualquiera puede abrir, imprimir y copiar el documento, pero nadie cambiarlo; excluye PDF/A",
  "How long credentials are valid: a period from the day of issue, such as P2Y, P18M or P30D, or the last day, such as 2027-08-31; default: forever":
    "Cuánto valen las credenciales: un periodo desde la emisión, como P2Y, P18M o P30D, o el último día, como 2027-08-31; por defecto: siempre",
  "How long before expiry issuance runs renew the credentials of eligible learners, such as P60D; P0D: after expiry; default: runs renew none":
    "Con cuánta antelación al vencimiento se renuevan las credenciales de quienes cumplen los requisitos, como P60D; P0D: tras el vencimiento; por defecto: no se renuevan",
  "Days before expiry on which learners get a mail; default: 60, 14, 1; []: never":
    "Días antes del vencimiento en que se envía un correo; por defecto: 60, 14, 1; []: nunca",
  "Words of yours in the mail that a credential is available: plain text of at most 2000 characters, each line a paragraph":
    "Sus palabras en el correo de que una credencial está disponible: texto de hasta 2000 caracteres, cada línea un párrafo",
  "What the Open Badge of a credential says beside its facts; false: no badge":
    "Lo que dice la Open Badge además de sus datos; false: sin insignia",
  "What was achieved; default: the names of type and context":
    "Qué se logró; por defecto: los nombres de tipo y curso",
  "What it takes to earn it; default: the names of type and context":
    "Qué hace falta para obtenerla; por defecto: los nombres de tipo y curso",
  "Address of a picture of the achievement, which everybody can load: https://…":
    "Dirección de una imagen del logro, que todos puedan cargar: https://…",
  "Fraction 0..1 of the course that must be completed.": "Parte del curso, de 0 a 1, que debe completarse.",
  "Whether Total is the platform's own total, from course_grade records, instead of the sum of the assignment types by their weights.":
    "Si Total es el total de la propia plataforma, en vez de la suma ponderada de los tipos de tarea.",
};
