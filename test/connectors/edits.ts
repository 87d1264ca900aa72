import { addUser, enrol, type PlatformData, type PlatformUser } from "./platform-data.js";

/**
 * Edits the academy at random.
 * @returns the learner and the course for which the platform would send an event
 */
export function change(
  academy: PlatformData,
  draw: (below: number) => number,
): { readonly id: number; readonly courseKey: string } | undefined {
  const keys = [...academy.courses.keys()];
  const key = keys[draw(keys.length)] as string;
  const course = academy.courses.get(key);
  const ids = [...(course?.members.keys() ?? [])];
  const id = ids[draw(Math.max(1, ids.length))];
  const member = id === undefined ? undefined : course?.members.get(id);
  const user = id === undefined ? undefined : academy.users.get(id);
  if (!course) return undefined;
  switch (draw(11)) {
    case 0: {
      const added = 1000 + draw(1_000_000);
      addUser(academy, added);
      enrol(academy, key, added, draw);
      return { id: added, courseKey: key };
    }
    case 1:
      if (member) member.isActive = !member.isActive;
      break;
    case 2:
      for (const { key: usage, possible } of course.subsections)
        member?.scores.set(usage, draw(possible + 1));
      break;
    case 3:
      if (user) user.name = `Changed${draw(1000)} Name`;
      break;
    case 4:
      course.policy = course.policy.map((entry, index) => ({ ...entry, weight: index === 0 ? 0.3 : 0.7 }));
      course.subsections = course.subsections.map((one) => ({ ...one, possible: one.possible + 1 }));
      break;
    case 5:
      course.name = `Renamed ${draw(1000)}`;
      break;
    case 6:
      course.isHidden = !course.isHidden;
      break;
    case 7:
      if (course.subsections.length > 2) course.subsections.splice(draw(course.subsections.length), 1);
      break;
    case 8:
      // the platform reports nothing more about a user who is in no course
      if (id !== undefined && coursesOf(academy, id) > 1 && course.members.delete(id)) course.left.add(id);
      break;
    case 9:
      if (user && !user.username.startsWith("retired__")) retire(academy, user);
      break;
    default:
      for (const path of academy.paths.values())
        if (id !== undefined && !path.members.delete(id)) path.members.add(id);
  }
  return id === undefined ? undefined : { id, courseKey: key };
}

function coursesOf({ courses }: PlatformData, id: number): number {
  return [...courses.values()].filter(({ members }) => members.has(id)).length;
}

/** Retires an account like the pipeline of Open edX. The account keeps its enrolments under a meaningless name. */
function retire(academy: PlatformData, user: PlatformUser): void {
  academy.retirements.push({ username: user.username, created: new Date().toISOString() });
  user.username = `retired__user_${user.id}`;
  user.email = `${user.username}@retired.invalid`;
  user.name = "";
  user.verifiedName = null;
  user.isActive = false;
  for (const { members, left } of academy.courses.values()) {
    const member = members.get(user.id);
    if (member) member.isActive = false;
    left.delete(user.id);
  }
  for (const { members } of academy.paths.values()) members.delete(user.id);
}
