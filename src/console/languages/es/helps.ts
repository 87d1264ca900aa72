import type { HelpsWording } from "../en/helps.js";

export const words: HelpsWording = {
  "Slug of the asset to print on; default: the built-in design":
    "Nombre del archivo sobre el que se imprime; por defecto: el diseño incorporado",
  "Colour of an empty page on which these options place everything; without it, and without a template, the built-in design is printed":
    "Color de una página vacía en la que estas opciones colocan todo; sin él y sin plantilla, se imprime el diseño incorporado",
  "Slug of the asset to print on when the context name has several lines":
    "Nombre del archivo sobre el que se imprime si el nombre del curso tiene varias líneas",
  "Style of all text elements that don't set their own": "Estilo de los textos que no fijan el suyo",
  "Slug of a font asset, or the name of a built-in family":
    "Nombre de un archivo de fuente, o de una familia incorporada",
  "Colour of the text: hex, accent, ink or paper, or a tint such as accent/40":
    "Color del texto: hexadecimal, accent, ink o paper, o un tono como accent/40",
  "Size in points": "Tamaño en puntos",
  "Space added between letters, in points": "Espacio añadido entre letras, en puntos",
  "Whether to print in capitals, by the rules of the language":
    "Si se imprime en mayúsculas, según el idioma",
  "Whether small letters are printed as small capitals, where the font has them":
    "Si las minúsculas se imprimen en versalitas, si la fuente las tiene",
  "Line spacing, as a multiple of the size": "Interlineado, como múltiplo del tamaño",
  "Text elements by name. name, context and date can be changed, or set to false; other elements need text and y":
    "Textos por nombre. name, context y date se pueden cambiar o poner en false; los demás necesitan text e y",
  "Position in points from the left; default: the middle of the page":
    "Posición en puntos desde la izquierda; por defecto: el centro de la página",
  "Baseline of the first line, in points from the bottom":
    "Línea base de la primera línea, en puntos desde abajo",
  "Which point of each line is at x": "Qué punto de cada línea está en x",
  "Maximum width in points. A longer text shrinks, then wraps, then breaks words; a text that would need less than 5 points is refused":
    "Anchura máxima en puntos. Un texto más largo se encoge, luego pasa a varias líneas y luego parte palabras; uno que necesitaría menos de 5 puntos se rechaza",
  "Greatest number of lines of a text that wraps; default: 3, or 1 for a text without max_width":
    "Número máximo de líneas; por defecto: 3, o 1 sin max_width",
  "Share of its size to which a text shrinks before it wraps; default: 0.68":
    "Parte de su tamaño a la que se encoge un texto antes de dividirse; por defecto: 0.68",
  "Least size in points: a text that would have to be smaller is refused; default: 5":
    "Tamaño mínimo en puntos: un texto que debería ser menor se rechaza; por defecto: 5",
  "QR code of the verification URL; default: only in the built-in design":
    "Código QR de la dirección de verificación; por defecto: solo en el diseño incorporado",
  "Duration of the course in hours, for {hours} and the facts of the built-in design":
    "Duración del curso en horas, para {hours} y los datos del diseño incorporado",
  "Credits, such as 6 ECTS, for {credits} and the facts of the built-in design":
    "Créditos, como 6 ECTS, para {credits} y los datos del diseño incorporado",
  "The person who signs, for {signatory_name}, {signatory_title} and the signature line of the built-in design":
    "La persona que firma, para {signatory_name}, {signatory_title} y la línea de firma del diseño incorporado",
  "Name of the person who signs": "Nombre de quien firma",
  "Office of that person, such as Dean of Studies": "Cargo de esa persona, como decana de estudios",
  "The people who sign, side by side at places.signatures; default: the option signatory":
    "Quienes firman, uno junto a otro en places.signatures; por defecto: la opción signatory",
  "The title of the document by language, for {title} and {second.title}; default: the credential type":
    "El título del documento por idioma, para {title} y {second.title}; por defecto: el tipo",
  "Labels by names of facts; default: those of the language":
    "Rótulos por nombre de dato; por defecto: los del idioma",
  "Slug of a PNG, JPEG or SVG asset: a logo or coat of arms, at places.logo or at the top of the built-in design":
    "Nombre de un archivo PNG, JPEG o SVG: un logotipo o escudo, en places.logo o arriba en el diseño incorporado",
  "Where logo, facts, signatures and seal stand on a paper or template; what has no place is not printed":
    "Dónde están logotipo, datos, firmas y sello en una página; lo que no tiene lugar no se imprime",
  "Images, above the template and below the texts": "Imágenes, sobre la página y bajo los textos",
  "The page; a PDF template has its own": "La página; un PDF tiene la suya",
  "Paper size": "Tamaño del papel",
  "Orientation of the page": "Orientación de la página",
  "The colour accent; in the built-in design, that of frame, seal and issuer":
    "El color accent; en el diseño incorporado, el de marco, sello y emisor",
  "Encrypts with AES-256: anyone can open, print and copy the document, but nobody can change it; excludes PDF/A":
    "Cifra con AES-256: cualquiera puede abrir, imprimir y copiar el documento, pero nadie cambiarlo; excluye PDF/A",
  "How long credentials are valid: a period from the day of issue, such as P2Y, P18M or P30D, or the last day, such as 2027-08-31; default: forever":
    "Cuánto tiempo valen las credenciales: un periodo desde la emisión, como P2Y, P18M o P30D, o el último día, como 2027-08-31; por defecto: siempre",
  "How long before expiry issuance runs renew the credentials of eligible learners, such as P60D; P0D: after expiry; default: runs renew none":
    "Con cuánta antelación al vencimiento se renuevan las credenciales de quienes cumplen los requisitos, como P60D; P0D: tras el vencimiento; por defecto: no se renuevan",
  "Facts about the learner that the public verification page states, if the document prints them: grade, completion, learner_id; default: none; the page then says that it does not confirm them":
    "Datos de la persona que muestra la página pública de verificación, si el documento los imprime: grade, completion, learner_id; por defecto: ninguno; la página indica entonces que no los confirma",
  "Days before expiry on which learners get a mail; default: 60, 14, 1; []: never":
    "Días antes del vencimiento en que se envía un correo; por defecto: 60, 14, 1; []: nunca",
  "Words of yours in the mail that a credential is available: plain text of at most 2000 characters, each line a paragraph":
    "Palabras suyas en el correo que anuncia que una credencial está disponible: texto de hasta 2000 caracteres, cada línea un párrafo",
  "What the Open Badge of a credential says beside its facts; false: no badge":
    "Lo que dice la Open Badge además de sus datos; false: ninguna insignia",
  "What was achieved; default: the names of type and context":
    "Qué se logró; por defecto: los nombres de tipo y curso",
  "What it takes to earn it; default: the names of type and context":
    "Qué hace falta para obtenerla; por defecto: los nombres de tipo y curso",
  "Address of a picture of the achievement, which everybody can load: https://…":
    "Dirección de una imagen del logro, que todos puedan cargar: https://…",
  "Fraction 0..1 of the course that must be completed.": "Parte del curso, de 0 a 1, que debe completarse.",
  "Whether the platform must consider the course as passed, as course_grade records say.":
    "Si la plataforma debe dar el curso por aprobado, según los registros course_grade.",
  'Letter grade of the platform that is required: this one, or a better one in the scale of the course, such as "B".':
    "Calificación con letra de la plataforma que se exige: esta, o una mejor en la escala del curso, por ejemplo «B».",
  "Whether Total is the platform's own total, from course_grade records, instead of the sum of the assignment types by their weights.":
    "Si Total es el total de la propia plataforma, en vez de la suma ponderada de los tipos de tarea.",
  'The text; write {{ and }} for braces, \\n for a new line. A part between line breaks, " · " or " | " is left out if one of its placeholders has no value: "Grade: {grade} · {hours} hours". Placeholders:':
    'El texto; escriba {{ y }} para las llaves y \\n para una línea nueva. Una parte entre saltos de línea, " · " o " | " se omite si uno de sus marcadores no tiene valor: "Nota: {grade} · {hours} horas". Marcadores:',
  "{name} the learner's full name": "{name} nombre completo del estudiante",
  "{context_name} the name of the course or learning path": "{context_name} nombre del curso o itinerario",
  "{issue_date} the day of issue": "{issue_date} día de emisión",
  "{award_date} the day on which it was first issued, which a reissue keeps":
    "{award_date} día de la primera emisión, que se mantiene al volver a emitir",
  "{valid_until} the last day of its validity": "{valid_until} último día de validez",
  "{verify_uuid} the verification UUID": "{verify_uuid} UUID de verificación",
  "{verify_url} the address of its verification page": "{verify_url} dirección de su página de verificación",
  "{verify_short_url} the same to be typed, without https://":
    "{verify_short_url} la misma, para teclearla, sin https://",
  "{credential_type} the name of the credential type": "{credential_type} nombre del tipo de credencial",
  "{title} the option titles in the document's language, or else the credential type":
    "{title} la opción titles en el idioma del documento o, si falta, el tipo de credencial",
  "{platform_name} the issuer's name": "{platform_name} nombre del emisor",
  "{grade} the total in the course, such as 92.35%": "{grade} total en el curso, como 92,35 %",
  "{grade.<assignment type>} the result of an assignment type, such as {grade.final}":
    "{grade.<assignment type>} resultado de un tipo de tarea, como {grade.final}",
  "{completion} how much of the course was completed, such as 95%":
    "{completion} cuánto se completó del curso, como 95 %",
  "{steps} the number of courses in the learning path": "{steps} número de cursos del itinerario",
  "{hours} the option hours": "{hours} la opción hours",
  "{credits} the option credits": "{credits} la opción credits",
  "{learner_id} the learner_id of the learner's record":
    "{learner_id} learner_id del registro del estudiante",
  "{signatory_name} the name of the option signatory": "{signatory_name} nombre de la opción signatory",
  "{signatory_title} the title of the option signatory": "{signatory_title} cargo de la opción signatory",
  "{learner.<key>} an attribute of the learner's record, such as {learner.programme}":
    "{learner.<key>} un atributo del registro del estudiante, como {learner.programme}",
  "{enrollment.<key>} an attribute of the enrolment's record":
    "{enrollment.<key>} un atributo del registro de la inscripción",
  "{words.<phrase>} a phrase in the document's language":
    "{words.<phrase>} una frase en el idioma del documento",
  "{second.<phrase>} the same in the option second_language, and {second.title}, {second.issue_date}; nothing without that option":
    "{second.<phrase>} lo mismo en el idioma de la opción second_language, además de {second.title} y {second.issue_date}; nada sin esa opción",
  "Left edge, in points from the left": "Borde izquierdo, en puntos desde la izquierda",
  "Lower edge, in points from the bottom": "Borde inferior, en puntos desde abajo",
  "Side in points": "Lado, en puntos",
  "Colour of the dark modules": "Color de los módulos oscuros",
  "Background colour of the code and its margin of four modules, or false for none; default on a template: #fff":
    "Color de fondo del código y de su margen de cuatro módulos, o false para ninguno; por defecto sobre una plantilla: #fff",
  "Slug of a PNG, JPEG or SVG asset": "Nombre de un archivo PNG, JPEG o SVG",
  "In points; default: as the proportions require": "En puntos; por defecto: según las proporciones",
  "Text alternative for people who can't see the image; without it, the image counts as decoration":
    "Texto para quienes no pueden ver la imagen; sin él, la imagen cuenta como adorno",
  "Slug of a PNG, JPEG or SVG asset with the signature, for the built-in design and places.signatures":
    "Nombre de un archivo PNG, JPEG o SVG con la firma, para el diseño incorporado y places.signatures",
  "A second language, for placeholders such as {second.title}":
    "Un segundo idioma, para marcadores como {second.title}",
  "Facts that the built-in design prints with labels in a row under the context; left out are those without a value, and award_date on the day of issue":
    "Datos que el diseño incorporado imprime con rótulos en una fila bajo el curso; se omiten los que no tienen valor, y award_date el día de emisión",
  "Slug of a PNG, JPEG or SVG asset at places.seal, in place of the seal that is drawn there":
    "Nombre de un archivo PNG, JPEG o SVG en places.seal, en lugar del sello que se dibuja allí",
  "Lines and ornaments, above the page and below everything else, in this order":
    "Líneas y adornos, sobre la página y bajo todo lo demás, en este orden",
  "Whether left and right are exchanged on a paper, in a language that runs from right to left":
    "Si se intercambian izquierda y derecha en un papel, en un idioma que se escribe de derecha a izquierda",
  "The size for which the positions on a paper are meant: on the other one, they are moved in proportion; default: the size of the page":
    "El tamaño para el que valen las posiciones en un papel: en el otro se desplazan en proporción; por defecto: el tamaño de la página",
  "Language of the document, of its dates, capitals and words. On a template, any language with known date formats is allowed; otherwise it is one of":
    "Idioma del documento, de sus fechas, mayúsculas y palabras. Sobre una plantilla, cualquier idioma con formatos de fecha conocidos; si no, uno de",
  "true: fail instead of generating a file that is not PDF/A-3b. By default it is PDF/A-3b, unless it is encrypted or uses a PDF template, whose parts are not checked":
    "true: fallar antes que generar un archivo que no sea PDF/A-3b. De por sí es PDF/A-3b, salvo si está cifrado o usa una plantilla PDF, cuyas partes no se comprueban",
  "Kind of achievement; default: CertificateOfCompletion, or LearningProgram for a learning path":
    "Clase de logro; por defecto: CertificateOfCompletion, o LearningProgram para un itinerario",
  "Whether it states the grades and completion that earned the credential; default: false":
    "Si indica las calificaciones y el avance con los que se obtuvo la credencial; por defecto: false",
  "Whether it holds the salted hash of the learner's address, by which backpacks recognise the owner; default: false":
    "Si contiene el hash con sal de la dirección del estudiante, por el que las mochilas de insignias reconocen a su titular; por defecto: false",
  "Words by which the achievement is found": "Palabras con las que se encuentra el logro",
  "Skills of frameworks, such as ESCO, CASE or CTDL, to which it leads":
    "Competencias de marcos como ESCO, CASE o CTDL a las que conduce",
  Name: "Nombre",
  "Address of its site: https://…": "Dirección de su sitio: https://…",
  "Who has defined the achievement, if somebody else than the issuer":
    "Quién ha definido el logro, si no es el emisor",
  "Credits that it is worth, as a number: available, and earned with the badge":
    "Créditos que vale, como número: los que hay y los que se obtienen con la insignia",
  "Field of study, such as Astronomy": "Área de estudio, como Astronomía",
  'Fraction 0..1 required in each assignment type, and in "Total": {"Exam": 0.65, "Total": 0.8}.':
    'Parte exigida, de 0 a 1, en cada tipo de tarea y en "Total": {"Exam": 0.65, "Total": 0.8}.',
  "Block to which it belongs: one of blocks. Its y then says how far it is from the others of the block":
    "Bloque al que pertenece: uno de blocks. Su y dice entonces a qué distancia está de los demás del bloque",
  "line: from x and y to the opposite corner; rosette: ellipses that turn about the middle; guilloche: a braid of waves along the longer side":
    "line: de x e y a la esquina opuesta; rosette: elipses que giran en torno al centro; guilloche: una trenza de ondas a lo largo del lado mayor",
  "In points; for a line, how far it goes to the right":
    "En puntos; en una línea, cuánto avanza a la derecha",
  "In points; for a line, how far it goes up": "En puntos; en una línea, cuánto sube",
  "Colour of its lines; without it, and without fill, ink": "Color de sus líneas; sin él y sin fill: ink",
  "Width of its lines, in points": "Grosor de sus líneas, en puntos",
  "Colour of its area": "Color de su interior",
  "Radius of the corners of a rectangle": "Radio de las esquinas de un rectángulo",
  "Length of dashes, in points; 0.1 with a round end makes dots":
    "Longitud de los trazos, en puntos; 0.1 con extremo redondo da puntos",
  "Degrees by which it is turned about x and y, anticlockwise":
    "Grados que gira en torno a x e y, en sentido antihorario",
  "Number of ellipses of a rosette": "Número de elipses de una roseta",
  "Short axis of the ellipses, as a share of the long one": "Eje menor de las elipses, como parte del mayor",
  "For a path: M, L, C and Z as in SVG, in points to the right of x and up from y":
    "Para un trazado: M, L, C y Z como en SVG, en puntos a la derecha de x y hacia arriba de y",
  "Colour of the text": "Color del texto",
  "Colour of what stands beside it in smaller letters": "Color de lo que está al lado en letra más pequeña",
  "Greatest width, in points": "Anchura máxima, en puntos",
  "Greatest height, in points": "Altura máxima, en puntos",
  "Where in this box a smaller logo stands": "Dónde se coloca en este recuadro un logotipo más pequeño",
  "Where the row is aligned, in points from the left":
    "Dónde se alinea la fila, en puntos desde la izquierda",
  "Baseline of the values in the first row, in points from the bottom":
    "Línea base de los valores de la primera fila, en puntos desde abajo",
  "Width of a full row, in points": "Anchura de una fila completa, en puntos",
  "Which point of each row is at x": "Qué punto de cada fila está en x",
  "Greatest number of facts in a row": "Número máximo de datos en una fila",
  "Where the labels stand": "Dónde van los rótulos",
  "Colour of thin lines between the facts; default: none":
    "Color de líneas finas entre los datos; por defecto: ninguna",
  "Baseline of the names, in points from the bottom": "Línea base de los nombres, en puntos desde abajo",
  "Width of the row, in points": "Anchura de la fila, en puntos",
  "Which point of the row is at x, and where names stand in their columns":
    "Qué punto de la fila está en x, y dónde van los nombres en sus columnas",
  "Greatest height of the pictures, in points": "Altura máxima de las imágenes, en puntos",
  "Greatest width of a column, in points": "Anchura máxima de una columna, en puntos",
  "Colour of the line between picture and name; someone without a picture has no line":
    "Color de la línea entre imagen y nombre; quien no tiene imagen no tiene línea",
  "Width and height, in points": "Anchura y altura, en puntos",
  "Colour of the seal that is drawn": "Color del sello dibujado",
  "How the seal is drawn, with the issuer's name; none: only the picture of the option seal":
    "Cómo se dibuja el sello, con el nombre del emisor; none: solo la imagen de la opción seal",
  "Upper end of its room, in points from the bottom": "Extremo superior de su espacio, en puntos desde abajo",
  "Lower end of its room, in points from the bottom": "Extremo inferior de su espacio, en puntos desde abajo",
  "Where in its room the block stands; center is the optical one, a little higher":
    "Dónde se coloca el bloque en su espacio; center es el centro óptico, algo más alto",
  "Groups of what has this name as block. They close up where a part is missing and make room for longer texts; if the room is too small, distances and then texts shrink":
    "Grupos de lo que tiene este nombre como block. Se juntan donde falta una parte y dejan sitio a textos más largos; si no hay espacio, se encogen las distancias y luego los textos",
  "What a renewal takes; eligible: that the learner is eligible today; new_record: that results observed after the credential was issued make the learner eligible, without those from before; default: eligible":
    "Qué exige una renovación; eligible: cumplir los requisitos hoy; new_record: cumplirlos solo con resultados posteriores a la emisión; por defecto: eligible",
  "Name of the skill": "Nombre de la competencia",
  "Its address in the framework: https://…, or http://data.europa.eu/… of ESCO":
    "Su dirección en el marco: https://…, o http://data.europa.eu/… de ESCO",
  "What it is": "Qué es",
  "Name of the framework": "Nombre del marco",
  "Code by which the framework names it": "Código con el que el marco la nombra",
  "Kind of the node: ceasn:Competency, ceterms:Credential, CFItem, CFRubric, CFRubricCriterion, CFRubricCriterionLevel, CTDL, or ext: and a word of your own":
    "Clase de nodo: ceasn:Competency, ceterms:Credential, CFItem, CFRubric, CFRubricCriterion, CFRubricCriterionLevel, CTDL, o ext: y una palabra propia",
  "What {issuer_name}, {issuer_contact} and {issuer_imprint} print; default: as the look of the issuer's pages and mails says":
    "Lo que imprimen {issuer_name}, {issuer_contact} e {issuer_imprint}; si falta: lo que indica el aspecto de páginas y correos del emisor",
  "Name of the issuer, as it is printed": "Nombre del emisor, tal como se imprime",
  "Where questions are answered: a mail address, or an address with https":
    "Dónde se responden preguntas: una dirección de correo o una dirección con https",
  "The page that says who is responsible by law: an address with https":
    "La página que dice quién es el responsable legal: una dirección con https",
  "{issuer_name} the issuer's name over its pages and mails, or else as {platform_name}":
    "{issuer_name} nombre que encabeza páginas y correos del emisor; si falta, como {platform_name}",
  "{issuer_contact} where the issuer answers questions":
    "{issuer_contact} dónde responde el emisor a preguntas",
  "{issuer_imprint} the address of the issuer's legal notice, without https://":
    "{issuer_imprint} dirección del aviso legal del emisor, sin https://",
  "Width that stays free in the middle of a centred row, in points, as for a seal":
    "Ancho que queda libre en el centro de una fila centrada, en puntos, por ejemplo para un sello",
};
