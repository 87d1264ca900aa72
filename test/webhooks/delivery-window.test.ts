import fc from "fast-check";
import { expect, test } from "vitest";
import { createDeliveryWindow, type Ordered } from "#domain/webhooks/delivery-window.js";

/** Random events that pass through a window. Several requests are in progress at once, and some of them fail. */
const cases = fc.record({
  credentials: fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 80 }),
  size: fc.integer({ min: 1, max: 64 }),
  batch: fc.integer({ min: 1, max: 5 }),
  fails: fc.array(fc.boolean(), { maxLength: 20 }),
  turns: fc.array(fc.nat(), { maxLength: 300 }),
  delivered: fc.array(fc.nat({ max: 80 }), { maxLength: 10 }),
});

test("a window keeps the order of each credential, its size, and the position of undelivered events", () => {
  fc.assert(
    fc.property(cases, ({ credentials, size, batch, fails, turns, delivered }) => {
      const events = credentials.map(
        (credential, index): Ordered => ({
          position: index + 1,
          credentialUuid: String(credential),
        }),
      );
      const done = new Set(delivered);
      const window = createDeliveryWindow<Ordered>(0, size);
      window.add(events.slice(0, 40), Math.min(40, events.length), ({ position }) => done.has(position));
      window.add(events.slice(40), events.length, ({ position }) => done.has(position));
      const inProgress: Ordered[][] = [];
      const failed: Ordered[] = [];
      let before = window.deliveredUpTo;
      const check = () => {
        expect(window.deliveredUpTo).toBeGreaterThanOrEqual(before);
        before = window.deliveredUpTo;
        for (const { position } of events) if (position <= before) expect(done).toContain(position);
        const next = events.find(({ position }) => !done.has(position));
        expect(before).toBe(next ? next.position - 1 : events.length);
      };
      const settle = (turn: number) => {
        const [sent = []] = inProgress.splice(turn % inProgress.length, 1);
        const isDelivered = !fails.pop();
        if (isDelivered) for (const { position } of sent) done.add(position);
        else failed.push(...sent);
        window.settle(sent, isDelivered);
        check();
      };
      const send = () => {
        const taken = window.take(batch);
        if (!taken) return false;
        expect(taken.length).toBeLessThanOrEqual(batch);
        for (const { position, credentialUuid } of taken) {
          expect(done).not.toContain(position);
          expect(position - before).toBeLessThanOrEqual(Math.max(size, batch));
          const earlier = events.filter(
            (each) => each.credentialUuid === credentialUuid && each.position < position,
          );
          const waiting = earlier.filter((each) => !done.has(each.position) && !taken.includes(each));
          expect(waiting).toEqual([]);
        }
        inProgress.push([...taken]);
        return true;
      };
      for (const turn of turns) {
        if (turn % 2 === 0 || inProgress.length === 0) send();
        else settle(turn);
      }
      while (send() || inProgress.length > 0) if (inProgress.length > 0) settle(0);
      if (failed.length === 0) expect(window.deliveredUpTo).toBe(events.length);
    }),
    { numRuns: 300 },
  );
});
