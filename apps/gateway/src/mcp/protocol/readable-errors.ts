import { isRecord } from '@app/contracts';
import { ProtocolErrorCode } from '@modelcontextprotocol/server';

/** Where the library says what is wrong with a message, it ends with the list of its validator, as JSON. */
const issueList = /\[\s*\{.*\}\s*\]$/s;
const issuesNamedMax = 5;

/** The same answer, whose errors are sentences: what a client got wrong is not our fault, and is said in words. */
export function readableErrors(json: string): string {
  if (!json.includes('"error":')) return json;
  const answer: unknown = JSON.parse(json);
  return JSON.stringify(Array.isArray(answer) ? answer.map(readable) : readable(answer));
}

function readable(message: unknown): unknown {
  if (!isRecord(message) || !isRecord(message.error) || typeof message.error.message !== 'string') {
    return message;
  }
  const [list] = issueList.exec(message.error.message) ?? [];
  const sentence = list === undefined ? null : sentenceOf(list);
  if (sentence === null) return message;
  return { ...message, error: { code: ProtocolErrorCode.InvalidParams, message: sentence } };
}

function sentenceOf(list: string): string | null {
  try {
    const issues = [JSON.parse(list) as unknown].flat().filter(isRecord).slice(0, issuesNamedMax);
    const problems = issues.map(({ path, message }) => `${[path].flat().join('.')}: ${String(message)}`);
    return `Invalid params: ${problems.join('; ')}.`;
  } catch {
    return null;
  }
}
