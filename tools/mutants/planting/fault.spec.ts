import { inFile, inFunction, inSql, isProgram, plant } from './fault.js';

const source = `
  export class Ledger {
    void(charge: Charge): void {
      for (const part of charge.parts) {
        this.entries.push(
          entryOf(charge, part.lotId, 'reversal', part.credits), // gives back
        );
      }
      if (charge.state === 'pending') { this.change({ ...charge, state: 'voided' }); }
    }
    constructor() { this.entries = []; }
  }
  const take = (charge: Charge) => query<Row>(\`SELECT id FROM lots
      ORDER BY id   FOR UPDATE\`, [charge.id]);
`;

const planted = (fault: Parameters<typeof plant>[0]): string => plant(fault, source).replace(/\s+/g, ' ');

describe('a fault', () => {
  it('is planted whatever variables are called and however lines are broken', () => {
    const fault = inFunction('void').replace(
      "entryOf($CHARGE, $LOT, 'reversal', $CREDITS)",
      "entryOf($CHARGE, $LOT, 'reversal', -$CREDITS)",
    );
    expect(planted(fault)).toContain("entryOf(charge, part.lotId, 'reversal', -part.credits), // gives back");
  });

  it('replaces a statement, with what it was in its place', () => {
    const fault = inFile.replace('this.entries.push($$$);', '$MATCH $MATCH');
    expect(planted(fault).match(/this\.entries\.push\(/g)).toHaveLength(2);
  });

  it('removes a statement', () => {
    const fault = inFunction('Ledger.void').remove("if ($CHARGE.state === 'pending') $DOES;");
    expect(planted(fault)).not.toContain('pending');
  });

  it('finds a property and an object', () => {
    expect(planted(inFile.replace("state: 'voided'", "state: 'posted'"))).toContain("state: 'posted' }");
    expect(planted(inFile.replace("({ $$$, state: 'voided' })", 'charge'))).toContain('this.change(charge)');
  });

  it('finds a function that a variable holds, and a constructor', () => {
    expect(planted(inFunction('take').replace('query($$$)', 'nothing'))).toContain('=> nothing;');
    expect(planted(inFunction('Ledger.constructor').replace('[]', '[1]'))).toContain('this.entries = [1];');
  });

  it('changes words of SQL, however they are spaced', () => {
    expect(planted(inSql('ORDER BY id FOR UPDATE').remove())).toContain('FROM lots `');
    expect(planted(inSql('for update').replaceWith('FOR SHARE'))).toContain('ORDER BY id FOR SHARE`');
  });

  it('takes a placeholder that occurs twice for the same thing', () => {
    expect(() => plant(inFile.replace('$A === $A', 'true'), source)).toThrow('occurs 0 times');
    expect(plant(inFile.replace('$A === $A', 'true'), 'x.y === x.y;')).toBe('true;');
  });

  it.each([
    [inFile.remove('this.missing();'), '`this.missing();` occurs 0 times, instead of once'],
    [inFile.remove('this.entries'), '`this.entries` occurs 2 times, instead of once'],
    [inFunction('voided').remove('x;'), 'there are 0 functions voided, instead of one'],
    [inSql('DELETE').remove(), '"DELETE" occurs 0 times in SQL, instead of once'],
  ])('says what is wrong with its place', (fault, problem) => {
    expect(() => plant(fault, source)).toThrow(problem);
  });

  it('that leaves no program behind is seen before any test runs', () => {
    const fault = inFile.replace("if (charge.state === 'pending') { $DOES; }", 'if (true) const found = 1;');
    expect(isProgram(source)).toBe(true);
    expect(isProgram(plant(fault, source))).toBe(false);
  });
});
