import type { HelpsWording } from "../en/helps.js";

export const words: HelpsWording = {
  "Slug of the asset to print on; default: the built-in design":
    "Nome do arquivo sobre o qual imprimir; padrão: o modelo integrado",
  "Colour of an empty page on which these options place everything; without it, and without a template, the built-in design is printed":
    "Cor de uma página vazia em que estas opções colocam tudo; sem ela e sem página, imprime-se o modelo integrado",
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
    "Textos por nome. name, context e date podem ser mudados ou postos em false; os demais precisam de text e y",
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
    "Quem assina, lado a lado em places.signatures; padrão: a opção signatory",
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
    "Cifra com AES-256: todos podem abrir, imprimir e copiar o documento, mas ninguém mudá-lo; exclui PDF/A",
  "How long credentials are valid: a period from the day of issue, such as P2Y, P18M or P30D, or the last day, such as 2027-08-31; default: forever":
    "Por quanto tempo valem: um período desde a emissão, como P2Y, P18M ou P30D, ou o último dia, como 2027-08-31; padrão: sempre",
  "How long before expiry issuance runs renew the credentials of eligible learners, such as P60D; P0D: after expiry; default: runs renew none":
    "Quanto antes do vencimento renovar, como P60D; P0D: depois do vencimento; padrão: nada é renovado",
  "Days before expiry on which learners get a mail; default: 60, 14, 1; []: never":
    "Dias antes do vencimento em que se envia um e-mail; padrão: 60, 14, 1; []: nunca",
  "Words of yours in the mail that a credential is available: plain text of at most 2000 characters, each line a paragraph":
    "Palavras suas no e-mail de que um certificado está disponível: texto de até 2000 caracteres, cada linha um parágrafo",
  "What the Open Badge of a credential says beside its facts; false: no badge":
    "O que a Open Badge diz além dos dados; false: sem badge",
  "What was achieved; default: the names of type and context":
    "O que foi alcançado; padrão: os nomes do tipo e do curso",
  "What it takes to earn it; default: the names of type and context":
    "O que é preciso para obtê-lo; padrão: os nomes do tipo e do curso",
  "Address of a picture of the achievement, which everybody can load: https://…":
    "Endereço de uma imagem da conquista, que todos possam carregar: https://…",
  "Fraction 0..1 of the course that must be completed.": "Parte do curso, de 0 a 1, que deve ser concluída.",
  "Whether Total is the platform's own total, from course_grade records, instead of the sum of the assignment types by their weights.":
    "Se Total é o total da própria plataforma, em vez da soma ponderada dos tipos de tarefa.",
};
