import { useState } from "react";
import { Button } from "../components/button.js";
import { lazily } from "../components/lazily.js";
import { useMay } from "../components/use-may.js";
import { useChapter } from "../i18n/words.js";

const NewCourseStory = lazily(() => import("./new-course-dialog.js"), "NewCourseStory");

/** Returns why the caller may not create a course; undefined if they may. */
export function useWhyNoNewCourse(): string | undefined {
  const may = useMay();
  return may("designer") && may("registrar");
}

export function NewCourse() {
  const words = useChapter("setup");
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button why={useWhyNoNewCourse()} onPress={() => setAsking(true)}>
        {words.newCourse}
      </Button>
      {isAsking && <NewCourseStory onClose={() => setAsking(false)} />}
    </>
  );
}
