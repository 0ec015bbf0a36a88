/** The status of a repeatable request: 201 when it created something, 200 when that existed already. */
export function statusOfCreation(created: boolean): number {
  return created ? 201 : 200;
}
