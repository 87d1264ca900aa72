import type { BrandingWording } from "../en/branding.js";

export const words: BrandingWording = {
  title: "Aspecto de páginas y correos",
  means:
    "Las páginas de verificación, los correos y las páginas para estudiantes muestran este nombre, color y logotipo, y a quién preguntar. Una organización muestra lo de todo el servicio, salvo que indique otra cosa. Los documentos nuevos del generador del servicio llevan el logotipo y el color si su tipo no indica otros, y el nombre, el contacto y el aviso legal donde su diseño los pide.",
  organisation: "Organización",
  wholeService: "Todo el servicio",
  another: "Otra organización…",
  organisationCode: "Código de la organización",
  organisationCodeMeans: "Como en las claves de sus cursos: Uni en course-v1:Uni+Curso+2026.",
  nameMeans: "Encabeza páginas y correos. No cambia quién emitió un certificado.",
  accent: "Color de enlaces y botones",
  accentMeans: "Por ejemplo, #1f5468. Se oscurece o aclara donde no se podría leer.",
  pickColour: "Elegir el color",
  logoMeans:
    "Un PNG o JPEG de los archivos de diseños, de 200 KB como máximo. Los correos lo llevan consigo.",
  noLogo: "Sin logotipo",
  asService: "Como todo el servicio",
  contactMeans: "Una dirección de correo o una dirección con https.",
  imprintMeans: "La página que dice quién es el responsable legal, con https.",
  saved: "Guardado. Las páginas lo muestran en diez segundos.",
  mail: "Lo que reciben los estudiantes por correo",
  mailKind: "Correo",
  subject: "Asunto",
  heading: "Título",
  introduction: "Texto tras el saludo",
  mailPlaceholders: "Lo vacío dice las palabras en gris. Cada línea es un párrafo. Puede nombrar:",
  usualWords: "Volver a las palabras habituales",
  asSent: "Como lo reciben los estudiantes",
  mailKinds: {
    1: "Está disponible",
    2: "Caduca pronto",
    3: "Se ha retirado",
  },
  language: "Idioma de quien lee",
  tryWords: "Palabras propias",
  tryWordsMean:
    "Para probar. Para enviarlas, póngalas en la opción de correos de un tipo o de lo que ofrece un curso.",
};
