/** Returns the name that the API presents by this number; undefined if there is none. */
export function nameOf<Name extends string>(
  presented: Readonly<Record<Name, number>>,
  number: number,
): Name | undefined {
  return (Object.keys(presented) as Name[]).find((name) => presented[name] === number);
}
