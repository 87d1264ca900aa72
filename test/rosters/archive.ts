import { strToU8, zipSync } from "fflate";

/** Whole files of a class with two students and their teacher, two categories and a line item in each. */
export const WHOLE = {
  academicSessions: "sourcedId,status,endDate\nt1,,2020-06-30\n",
  users:
    "sourcedId,status,username,givenName,familyName,email\nu1,,ana,Ana,Kovač,ana@uni.test\nu2,,ben,Ben,Bo,\nu3,,teacher,T,T,\n",
  classes: "sourcedId,status,title,classCode,termSourcedIds\nk1,,Chemistry 1,CHEM 1,t1\n",
  enrollments:
    "sourcedId,status,classSourcedId,userSourcedId,role\ne1,,k1,u1,student\ne2,,k1,u2,student\ne3,,k1,u3,teacher\n",
  categories: "sourcedId,status,title,weight\nc1,,Homework,30\nc2,,Exam,70\n",
  lineItems:
    "sourcedId,status,classSourcedId,categorySourcedId,resultValueMin,resultValueMax\nl1,,k1,c1,0,10\nl2,,k1,c2,0,50\n",
  results:
    "sourcedId,status,lineItemSourcedId,studentSourcedId,scoreStatus,score\nr1,,l1,u1,fully graded,8\n",
};

/** The record of the class. */
export const CHEMISTRY = {
  kind: "course",
  courseKey: "course-v1:Uni+CHEM_1+k1",
  displayName: "Chemistry 1",
  gradingPolicy: [
    { assignmentType: "Homework", weight: 0.3 },
    { assignmentType: "Exam", weight: 0.7 },
  ],
};

/** The manifest of an archive of these files. */
export function manifestOf(mode: "bulk" | "delta", files: object, version = "1.2"): string {
  const lines = Object.keys(files).map((name) => `file.${name},${mode}\n`);
  return `propertyName,value\nmanifest.version,1.0\noneroster.version,${version}\n${lines.join("")}`;
}

/** An archive of files by their names without `.csv`. */
export function archiveOf(files: Readonly<Record<string, string>>): Buffer {
  const entries = Object.entries(files).map(([name, text]) => [`${name}.csv`, strToU8(text)]);
  return Buffer.from(zipSync(Object.fromEntries(entries)));
}
