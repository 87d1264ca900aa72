import { useState } from "react";
import type { Course } from "../../../gen/learning_credentials/v1/record_pb.js";
import { Button } from "../components/button.js";
import { DoneDialog } from "../components/done-dialog.js";
import { LinkButton } from "../components/link-button.js";
import { useMay } from "../components/use-may.js";
import { useChapter } from "../i18n/chapter.js";
import { NewCourseDialog } from "./new-course-dialog.js";

/** Tells why the caller may not make a course; undefined if they may. */
export function useMayMakeCourses(): string | undefined {
  const may = useMay();
  return may("designer") && may("registrar");
}

/** A button that makes a course, and then says what can be done with it. */
export function NewCourse({ look = "plain" }: { readonly look?: "plain" | "primary" }) {
  const words = useChapter("setup");
  const why = useMayMakeCourses();
  const [isAsking, setAsking] = useState(false);
  const [made, setMade] = useState<Course>();
  return (
    <>
      <Button look={look} why={why} onPress={() => setAsking(true)}>
        {words.newCourse}
      </Button>
      {isAsking && (
        <NewCourseDialog
          onMade={(course) => {
            setAsking(false);
            setMade(course);
          }}
          onClose={() => setAsking(false)}
        />
      )}
      {made && (
        <DoneDialog
          title={words.newCourse}
          outcome={
            <p>
              {words.made} <bdi>{made.displayName}</bdi>
            </p>
          }
          onClose={() => setMade(undefined)}
        >
          <p>{words.madeMeans}</p>
          <p>
            <LinkButton to="/types">{words.toTypes}</LinkButton>
          </p>
        </DoneDialog>
      )}
    </>
  );
}
