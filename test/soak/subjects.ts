import type { Chance } from "./chance.js";
import type { Known } from "./knowledge.js";
import type { Model } from "./model.js";

/** The number of recently changed learners who are chosen more often than the others. */
const HOT = 30;

/** Chooses the learners and credentials for requests. */
export interface Subjects {
  newcomer(): string;
  /** Marks a learner as recently changed. The learner's record must certainly exist. */
  touch(username: string): void;
  enter(username: string): void;
  /** Returns the observation time of a new record in Unix milliseconds. Each is later than the one before. */
  observed(): number;
  learner(chance: Chance): string | undefined;
  credential(chance: Chance): Known | undefined;
}

/** Returns subjects that consist only of this learner. */
export function only(username: string, model: Model, subjects: Subjects): Subjects {
  return {
    ...subjects,
    learner: () => username,
    credential: (chance) => chance.pick(model.credentialsOf(username)),
  };
}

export function createSubjects(model: Model): Subjects {
  const all: string[] = [];
  const hot: string[] = [];
  const touch = (username: string) => {
    hot.push(username);
    if (hot.length > HOT) hot.shift();
  };
  const learner = (chance: Chance) => chance.pick(chance.next() < 0.6 ? hot : all);
  let newcomers = 0;
  let lastObserved = 0;
  return {
    newcomer: () => `learner-${newcomers++}`,
    observed() {
      lastObserved = Math.max(Date.now(), lastObserved + 1);
      return lastObserved;
    },
    touch,
    enter(username) {
      all.push(username);
      touch(username);
    },
    learner,
    credential(chance) {
      const username = learner(chance);
      const own = username === undefined ? [] : model.credentialsOf(username);
      return chance.pick(own) ?? chance.pick(model.placed);
    },
  };
}
