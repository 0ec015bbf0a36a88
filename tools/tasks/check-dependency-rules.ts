import { root } from '../bootstrap/paths.mjs';
import { fail } from '../bootstrap/run.mjs';
import { judgeDependencyRules } from '../lint/dependency-rules.js';

const { count, problems } = judgeDependencyRules(root);
if (problems.length > 0) {
  fail(`Rules of .dependency-cruiser.json that protect nothing:\n  ${problems.join('\n  ')}`);
}
process.stdout.write(`${count} dependency rules, all effective\n`);
