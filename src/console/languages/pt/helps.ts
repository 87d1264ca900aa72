import type { HelpsWording } from "../en/helps.js";

export const words: HelpsWording = {
  "Slug of the asset to print on; default: the built-in design":
    "Nome do arquivo sobre o qual imprimir; padrão: o modelo integrado",
  "Colour of an empty page on which these options place everything; without it, and without a template, the built-in design is printed":
    "Cor de uma página vazia em que estas opções colocam tudo; sem ela e sem página de fundo, imprime-se o modelo integrado",
  "Slug of the asset to print on when the context name has several lines":
    "Nome do arquivo sobre o qual imprimir se o nome do curso tiver várias linhas",
  "Style of all text elements that don't set their own": "Estilo dos textos que não definem o seu",
  "Slug of a font asset, or the name of a built-in family":
    "Nome de um arquivo de fonte, ou de uma família integrada",
  "Colour of the text: hex, accent, ink or paper, or a tint such as accent/40":
    "Cor do texto: hexadecimal, accent, ink ou paper, ou um tom como accent/40",
  "Size in points": "Tamanho em pontos",
  "Space added between letters, in points": "Espaço acrescentado entre letras, em pontos",
  "Whether to print in capitals, by the rules of the language": "Se imprime em maiúsculas, conforme o idioma",
  "Whether small letters are printed as small capitals, where the font has them":
    "Se imprime as minúsculas em versalete, se a fonte tiver",
  "Line spacing, as a multiple of the size": "Entrelinha, como múltiplo do tamanho",
  "Text elements by name. name, context and date can be changed, or set to false; other elements need text and y":
    "Textos por nome. name, context e date podem ser alterados ou definidos como false; os demais precisam de text e y",
  "Position in points from the left; default: the middle of the page":
    "Posição em pontos a partir da esquerda; padrão: o meio da página",
  "Baseline of the first line, in points from the bottom":
    "Linha de base da primeira linha, em pontos a partir de baixo",
  "Which point of each line is at x": "Que ponto de cada linha fica em x",
  "Maximum width in points. A longer text shrinks, then wraps, then breaks words; a text that would need less than 5 points is refused":
    "Largura máxima em pontos. Um texto mais longo encolhe, depois quebra linhas, depois palavras; abaixo de 5 pontos é recusado",
  "Greatest number of lines of a text that wraps; default: 3, or 1 for a text without max_width":
    "Número máximo de linhas; padrão: 3, ou 1 sem max_width",
  "Share of its size to which a text shrinks before it wraps; default: 0.68":
    "Parte do tamanho a que um texto encolhe antes de quebrar; padrão: 0.68",
  "Least size in points: a text that would have to be smaller is refused; default: 5":
    "Tamanho mínimo em pontos: um texto que teria de ser menor é recusado; padrão: 5",
  "QR code of the verification URL; default: only in the built-in design":
    "Código QR do endereço de verificação; padrão: só no modelo integrado",
  "Duration of the course in hours, for {hours} and the facts of the built-in design":
    "Duração do curso em horas, para {hours} e os dados do modelo integrado",
  "Credits, such as 6 ECTS, for {credits} and the facts of the built-in design":
    "Créditos, como 6 ECTS, para {credits} e os dados do modelo integrado",
  "The person who signs, for {signatory_name}, {signatory_title} and the signature line of the built-in design":
    "Quem assina, para {signatory_name}, {signatory_title} e a linha de assinatura do modelo integrado",
  "Name of the person who signs": "Nome de quem assina",
  "Office of that person, such as Dean of Studies": "Cargo dessa pessoa, como diretora",
  "The people who sign, side by side at places.signatures; default: the option signatory":
    "As pessoas que assinam, lado a lado em places.signatures; padrão: a opção signatory",
  "The title of the document by language, for {title} and {second.title}; default: the credential type":
    "O título do documento por idioma, para {title} e {second.title}; padrão: o tipo",
  "Labels by names of facts; default: those of the language":
    "Rótulos por nome de dado; padrão: os do idioma",
  "Slug of a PNG, JPEG or SVG asset: a logo or coat of arms, at places.logo or at the top of the built-in design":
    "Nome de um arquivo PNG, JPEG ou SVG: um logotipo ou brasão, em places.logo ou no alto do modelo integrado",
  "Where logo, facts, signatures and seal stand on a paper or template; what has no place is not printed":
    "Onde ficam logotipo, dados, assinaturas e selo na página; o que não tem lugar não é impresso",
  "Images, above the template and below the texts": "Imagens, sobre a página e sob os textos",
  "The page; a PDF template has its own": "A página; um PDF tem a sua",
  "Paper size": "Tamanho do papel",
  "Orientation of the page": "Orientação da página",
  "The colour accent; in the built-in design, that of frame, seal and issuer":
    "A cor accent; no modelo integrado, a da moldura, do selo e do emissor",
  "Encrypts with AES-256: anyone can open, print and copy the document, but nobody can change it; excludes PDF/A":
    "Cifra com AES-256: todos podem abrir, imprimir e copiar o documento, mas ninguém pode alterá-lo; exclui PDF/A",
  "How long credentials are valid: a period from the day of issue, such as P2Y, P18M or P30D, or the last day, such as 2027-08-31; default: forever":
    "Por quanto tempo os certificados valem: um período desde a emissão, como P2Y, P18M ou P30D, ou o último dia, como 2027-08-31; padrão: para sempre",
  "How long before expiry issuance runs renew the credentials of eligible learners, such as P60D; P0D: after expiry; default: runs renew none":
    "Com quanta antecedência ao vencimento as emissões renovam, como P60D; P0D: depois do vencimento; padrão: nada é renovado",
  "Facts about the learner that the public verification page states, if the document prints them: grade, completion, learner_id; default: none; the page then says that it does not confirm them":
    "Dados da pessoa que a página pública de verificação mostra, se o documento os imprimir: grade, completion, learner_id; padrão: nenhum; a página informa então que não os confirma",
  "Days before expiry on which learners get a mail; default: 60, 14, 1; []: never":
    "Dias antes do vencimento em que se envia um e-mail; padrão: 60, 14, 1; []: nunca",
  "Words of yours in the mail that a credential is available: plain text of at most 2000 characters, each line a paragraph":
    "Palavras suas no e-mail que avisa de um certificado: texto de até 2000 caracteres, cada linha um parágrafo",
  "What the Open Badge of a credential says beside its facts; false: no badge":
    "O que a Open Badge diz além dos dados; false: sem badge",
  "What was achieved; default: the names of type and context":
    "O que foi alcançado; padrão: os nomes do tipo e do curso",
  "What it takes to earn it; default: the names of type and context":
    "O que é preciso para obtê-lo; padrão: os nomes do tipo e do curso",
  "Address of a picture of the achievement, which everybody can load: https://…":
    "Endereço de uma imagem da conquista, que todos possam carregar: https://…",
  "Fraction 0..1 of the course that must be completed.": "Parte do curso, de 0 a 1, que deve ser concluída.",
  "Whether the platform must consider the course as passed, as course_grade records say.":
    "Se a plataforma precisa considerar o curso aprovado, conforme os registros course_grade.",
  'Letter grade of the platform that is required: this one, or a better one in the scale of the course, such as "B".':
    "Conceito da plataforma que é exigido: este, ou um superior na escala do curso, por exemplo “B”.",
  "Whether Total is the platform's own total, from course_grade records, instead of the sum of the assignment types by their weights.":
    "Se Total é o total da própria plataforma, em vez da soma ponderada dos tipos de tarefa.",
  'The text; write {{ and }} for braces, \\n for a new line. A part between line breaks, " · " or " | " is left out if one of its placeholders has no value: "Grade: {grade} · {hours} hours". Placeholders:':
    'O texto; escreva {{ e }} para as chaves e \\n para uma nova linha. Uma parte entre quebras de linha, " · " ou " | " é omitida se um de seus marcadores não tiver valor: "Nota: {grade} · {hours} horas". Marcadores:',
  "{name} the learner's full name": "{name} nome completo do estudante",
  "{context_name} the name of the course or learning path": "{context_name} nome do curso ou da trilha",
  "{issue_date} the day of issue": "{issue_date} dia da emissão",
  "{award_date} the day on which it was first issued, which a reissue keeps":
    "{award_date} dia da primeira emissão, mantido quando se emite de novo",
  "{valid_until} the last day of its validity": "{valid_until} último dia de validade",
  "{verify_uuid} the verification UUID": "{verify_uuid} UUID de verificação",
  "{verify_url} the address of its verification page": "{verify_url} endereço de sua página de verificação",
  "{verify_short_url} the same to be typed, without https://":
    "{verify_short_url} o mesmo, para digitar, sem https://",
  "{credential_type} the name of the credential type": "{credential_type} nome do tipo de certificado",
  "{title} the option titles in the document's language, or else the credential type":
    "{title} a opção titles no idioma do documento ou, na falta dela, o tipo de certificado",
  "{platform_name} the issuer's name": "{platform_name} nome do emissor",
  "{grade} the total in the course, such as 92.35%": "{grade} total no curso, como 92,35%",
  "{grade.<assignment type>} the result of an assignment type, such as {grade.final}":
    "{grade.<assignment type>} resultado de um tipo de tarefa, como {grade.final}",
  "{completion} how much of the course was completed, such as 95%":
    "{completion} quanto do curso foi concluído, como 95%",
  "{steps} the number of courses in the learning path": "{steps} número de cursos da trilha",
  "{hours} the option hours": "{hours} a opção hours",
  "{credits} the option credits": "{credits} a opção credits",
  "{learner_id} the learner_id of the learner's record": "{learner_id} learner_id do registro do estudante",
  "{signatory_name} the name of the option signatory": "{signatory_name} nome da opção signatory",
  "{signatory_title} the title of the option signatory": "{signatory_title} cargo da opção signatory",
  "{learner.<key>} an attribute of the learner's record, such as {learner.programme}":
    "{learner.<key>} um atributo do registro do estudante, como {learner.programme}",
  "{enrollment.<key>} an attribute of the enrolment's record":
    "{enrollment.<key>} um atributo do registro da matrícula",
  "{words.<phrase>} a phrase in the document's language": "{words.<phrase>} uma frase no idioma do documento",
  "{second.<phrase>} the same in the option second_language, and {second.title}, {second.issue_date}; nothing without that option":
    "{second.<phrase>} o mesmo no idioma da opção second_language, e {second.title}, {second.issue_date}; nada sem essa opção",
  "Left edge, in points from the left": "Borda esquerda, em pontos a partir da esquerda",
  "Lower edge, in points from the bottom": "Borda inferior, em pontos a partir de baixo",
  "Side in points": "Lado, em pontos",
  "Colour of the dark modules": "Cor dos módulos escuros",
  "Background colour of the code and its margin of four modules, or false for none; default on a template: #fff":
    "Cor de fundo do código e de sua margem de quatro módulos, ou false para nenhuma; padrão sobre uma página de fundo: #fff",
  "Slug of a PNG, JPEG or SVG asset": "Nome de um arquivo PNG, JPEG ou SVG",
  "In points; default: as the proportions require": "Em pontos; padrão: conforme as proporções",
  "Text alternative for people who can't see the image; without it, the image counts as decoration":
    "Texto para quem não pode ver a imagem; sem ele, a imagem conta como ornamento",
  "Slug of a PNG, JPEG or SVG asset with the signature, for the built-in design and places.signatures":
    "Nome de um arquivo PNG, JPEG ou SVG com a assinatura, para o modelo integrado e places.signatures",
  "A second language, for placeholders such as {second.title}":
    "Um segundo idioma, para marcadores como {second.title}",
  "Facts that the built-in design prints with labels in a row under the context; left out are those without a value, and award_date on the day of issue":
    "Dados que o modelo integrado imprime com rótulos em uma linha sob o curso; omitem-se os que não têm valor, e award_date no dia da emissão",
  "Slug of a PNG, JPEG or SVG asset at places.seal, in place of the seal that is drawn there":
    "Nome de um arquivo PNG, JPEG ou SVG em places.seal, no lugar do selo que ali se desenha",
  "Lines and ornaments, above the page and below everything else, in this order":
    "Linhas e ornamentos, acima da página e abaixo de todo o resto, nesta ordem",
  "Whether left and right are exchanged on a paper, in a language that runs from right to left":
    "Se esquerda e direita se invertem em um papel, em um idioma escrito da direita para a esquerda",
  "The size for which the positions on a paper are meant: on the other one, they are moved in proportion; default: the size of the page":
    "O tamanho para o qual valem as posições em um papel: no outro, elas se deslocam em proporção; padrão: o tamanho da página",
  "Language of the document, of its dates, capitals and words. On a template, any language with known date formats is allowed; otherwise it is one of":
    "Idioma do documento, de suas datas, maiúsculas e palavras. Sobre uma página de fundo, qualquer idioma com formatos de data conhecidos; senão, um de",
  "true: fail instead of generating a file that is not PDF/A-3b. By default it is PDF/A-3b, unless it is encrypted or uses a PDF template, whose parts are not checked":
    "true: falhar em vez de gerar um arquivo que não seja PDF/A-3b. Por padrão ele é PDF/A-3b, a menos que seja cifrado ou use uma página PDF, cujas partes não são verificadas",
  "Kind of achievement; default: CertificateOfCompletion, or LearningProgram for a learning path":
    "Tipo de conquista; padrão: CertificateOfCompletion, ou LearningProgram para uma trilha",
  "Whether it states the grades and completion that earned the credential; default: false":
    "Se informa as notas e a conclusão que valeram o certificado; padrão: false",
  "Whether it holds the salted hash of the learner's address, by which backpacks recognise the owner; default: false":
    "Se contém o hash com sal do endereço do estudante, pelo qual as mochilas de badges reconhecem o titular; padrão: false",
  "Words by which the achievement is found": "Palavras pelas quais se encontra a conquista",
  "Skills of frameworks, such as ESCO, CASE or CTDL, to which it leads":
    "Competências de referenciais como ESCO, CASE ou CTDL a que leva",
  Name: "Nome",
  "Address of its site: https://…": "Endereço de seu site: https://…",
  "Who has defined the achievement, if somebody else than the issuer":
    "Quem definiu a conquista, se não foi o emissor",
  "Credits that it is worth, as a number: available, and earned with the badge":
    "Créditos que vale, em número: os previstos e os obtidos com a badge",
  "Field of study, such as Astronomy": "Área de estudo, como Astronomia",
  'Fraction 0..1 required in each assignment type, and in "Total": {"Exam": 0.65, "Total": 0.8}.':
    'Parte exigida, de 0 a 1, em cada tipo de tarefa e em "Total": {"Exam": 0.65, "Total": 0.8}.',
  "Block to which it belongs: one of blocks. Its y then says how far it is from the others of the block":
    "Bloco a que pertence: um de blocks. Seu y diz então a que distância fica dos demais do bloco",
  "line: from x and y to the opposite corner; rosette: ellipses that turn about the middle; guilloche: a braid of waves along the longer side":
    "line: de x e y ao canto oposto; rosette: elipses que giram em torno do centro; guilloche: uma trança de ondas ao longo do lado maior",
  "In points; for a line, how far it goes to the right":
    "Em pontos; em uma linha, quanto avança para a direita",
  "In points; for a line, how far it goes up": "Em pontos; em uma linha, quanto sobe",
  "Colour of its lines; without it, and without fill, ink": "Cor de suas linhas; sem ela e sem fill: ink",
  "Width of its lines, in points": "Espessura de suas linhas, em pontos",
  "Colour of its area": "Cor de sua área",
  "Radius of the corners of a rectangle": "Raio dos cantos de um retângulo",
  "Length of dashes, in points; 0.1 with a round end makes dots":
    "Comprimento dos traços, em pontos; 0.1 com ponta redonda faz pontinhos",
  "Degrees by which it is turned about x and y, anticlockwise":
    "Graus que gira em torno de x e y, no sentido anti-horário",
  "Number of ellipses of a rosette": "Número de elipses de uma roseta",
  "Short axis of the ellipses, as a share of the long one": "Eixo menor das elipses, como parte do maior",
  "For a path: M, L, C and Z as in SVG, in points to the right of x and up from y":
    "Para um traçado: M, L, C e Z como em SVG, em pontos à direita de x e acima de y",
  "Colour of the text": "Cor do texto",
  "Colour of what stands beside it in smaller letters": "Cor do que fica ao lado em letras menores",
  "Greatest width, in points": "Largura máxima, em pontos",
  "Greatest height, in points": "Altura máxima, em pontos",
  "Where in this box a smaller logo stands": "Onde fica neste quadro um logotipo menor",
  "Where the row is aligned, in points from the left":
    "Onde a fileira se alinha, em pontos a partir da esquerda",
  "Baseline of the values in the first row, in points from the bottom":
    "Linha de base dos valores da primeira fileira, em pontos a partir de baixo",
  "Width of a full row, in points": "Largura de uma fileira cheia, em pontos",
  "Which point of each row is at x": "Que ponto de cada fileira fica em x",
  "Greatest number of facts in a row": "Número máximo de dados em uma fileira",
  "Where the labels stand": "Onde ficam os rótulos",
  "Colour of thin lines between the facts; default: none":
    "Cor de linhas finas entre os dados; padrão: nenhuma",
  "Baseline of the names, in points from the bottom": "Linha de base dos nomes, em pontos a partir de baixo",
  "Width of the row, in points": "Largura da fileira, em pontos",
  "Which point of the row is at x, and where names stand in their columns":
    "Que ponto da fileira fica em x, e onde ficam os nomes em suas colunas",
  "Greatest height of the pictures, in points": "Altura máxima das imagens, em pontos",
  "Greatest width of a column, in points": "Largura máxima de uma coluna, em pontos",
  "Colour of the line between picture and name; someone without a picture has no line":
    "Cor da linha entre imagem e nome; quem não tem imagem não tem linha",
  "Width and height, in points": "Largura e altura, em pontos",
  "Colour of the seal that is drawn": "Cor do selo desenhado",
  "How the seal is drawn, with the issuer's name; none: only the picture of the option seal":
    "Como se desenha o selo, com o nome do emissor; none: só a imagem da opção seal",
  "Upper end of its room, in points from the bottom":
    "Limite superior de seu espaço, em pontos a partir de baixo",
  "Lower end of its room, in points from the bottom":
    "Limite inferior de seu espaço, em pontos a partir de baixo",
  "Where in its room the block stands; center is the optical one, a little higher":
    "Onde o bloco fica em seu espaço; center é o centro óptico, um pouco acima",
  "Groups of what has this name as block. They close up where a part is missing and make room for longer texts; if the room is too small, distances and then texts shrink":
    "Grupos do que tem este nome como block. Juntam-se onde falta uma parte e abrem espaço para textos mais longos; se o espaço não basta, encolhem as distâncias e depois os textos",
  "What a renewal takes; eligible: that the learner is eligible today; new_record: that results observed after the credential was issued make the learner eligible, without those from before; default: eligible":
    "O que uma renovação exige; eligible: cumprir os requisitos hoje; new_record: cumpri-los só com resultados posteriores à emissão; padrão: eligible",
  "Name of the skill": "Nome da competência",
  "Its address in the framework: https://…, or http://data.europa.eu/… of ESCO":
    "Seu endereço no referencial: https://…, ou http://data.europa.eu/… da ESCO",
  "What it is": "O que é",
  "Name of the framework": "Nome do referencial",
  "Code by which the framework names it": "Código pelo qual o referencial a nomeia",
  "Kind of the node: ceasn:Competency, ceterms:Credential, CFItem, CFRubric, CFRubricCriterion, CFRubricCriterionLevel, CTDL, or ext: and a word of your own":
    "Tipo de nó: ceasn:Competency, ceterms:Credential, CFItem, CFRubric, CFRubricCriterion, CFRubricCriterionLevel, CTDL, ou ext: e uma palavra sua",
  "What {issuer_name}, {issuer_contact} and {issuer_imprint} print; default: as the look of the issuer's pages and mails says":
    "O que {issuer_name}, {issuer_contact} e {issuer_imprint} imprimem; se faltar: o que indica a aparência de páginas e e-mails do emissor",
  "Name of the issuer, as it is printed": "Nome do emissor, como é impresso",
  "Where questions are answered: a mail address, or an address with https":
    "Onde se respondem perguntas: um endereço de e-mail ou um endereço com https",
  "The page that says who is responsible by law: an address with https":
    "A página que diz quem é o responsável legal: um endereço com https",
  "{issuer_name} the issuer's name over its pages and mails, or else as {platform_name}":
    "{issuer_name} nome no alto de páginas e e-mails do emissor; se faltar, como {platform_name}",
  "{issuer_contact} where the issuer answers questions":
    "{issuer_contact} onde o emissor responde a perguntas",
  "{issuer_imprint} the address of the issuer's legal notice, without https://":
    "{issuer_imprint} endereço do aviso legal do emissor, sem https://",
  "Width that stays free in the middle of a centred row, in points, as for a seal":
    "Largura que fica livre no meio de uma linha centralizada, em pontos, por exemplo para um selo",
};
