/** The status of a request that may be repeated: 201 when it made something, 200 when that was there already. */
export function statusOfCreation(created: boolean): number {
  return created ? 201 : 200;
}
