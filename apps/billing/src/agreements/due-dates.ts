/**
 * The due date number `index` (0 is the start itself) of an agreement: every month on the day and at the time of its
 * start, in UTC; in a shorter month on its last day. Always counted from the start, so a 31st stays a 31st.
 */
export function dueDate(startsAt: Date, index: number): Date {
  const year = startsAt.getUTCFullYear();
  const month = startsAt.getUTCMonth() + index;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const due = new Date(startsAt);
  due.setUTCFullYear(year, month, Math.min(startsAt.getUTCDate(), lastDay));
  return due;
}
