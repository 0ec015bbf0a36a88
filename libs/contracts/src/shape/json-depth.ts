/** No body of ours is a quarter as deep. */
export const jsonDepthMax = 20;

const [quote, backslash] = ['"', '\\'];

/**
 * Whether JSON is nested so deep that what handles it afterwards, level by level, could exceed the stack. Asked before it is
 * parsed; of a text that is not JSON it says nothing of use.
 */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index];
    if (isInString) {
      if (character === backslash) index += 1;
      else if (character === quote) isInString = false;
    } else if (character === quote) isInString = true;
    else if (character === '[' || character === '{') {
      depth += 1;
      if (depth > jsonDepthMax) return true;
    } else if (character === ']' || character === '}') depth -= 1;
  }
  return false;
}
