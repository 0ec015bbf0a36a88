import ts from 'typescript';
import { type JsonSchema } from '#contracts';

/** Reads the types of the messages from the sources of libs/contracts: a reply has no other description. */
export class ContractTypes {
  private readonly checker: ts.TypeChecker;
  private readonly exports: ReadonlyMap<string, ts.Symbol>;

  constructor(entry = 'libs/contracts/src/index.ts') {
    const { config } = ts.readConfigFile('tsconfig.json', (file) => ts.sys.readFile(file)) as {
      config: { compilerOptions: object };
    };
    const { options } = ts.convertCompilerOptionsFromJson(
      { ...config.compilerOptions, types: ['node'] },
      '.',
    );
    const program = ts.createProgram([entry], { ...options, noEmit: true });
    this.checker = program.getTypeChecker();
    const source = program.getSourceFile(entry);
    const module = source && this.checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${entry} exports nothing.`);
    this.exports = new Map(this.checker.getExportsOfModule(module).map((symbol) => [symbol.name, symbol]));
  }

  /** The payload and the reply of the message that is exported under this name, as the compiler sees them. */
  messageTypes(name: string) {
    const contract = this.exports.get(name);
    if (!contract) throw new Error(`libs/contracts exports no ${name}.`);
    const types = this.property(this.checker.getTypeOfSymbol(contract), 'types');
    return { request: this.property(types, 'request'), reply: this.property(types, 'reply') };
  }

  /** What the items of a list are, for a field whose shape leaves that open. */
  itemsOf(request: ts.Type, field: string): JsonSchema {
    const [item] = this.checker.getTypeArguments(this.property(request, field) as ts.TypeReference);
    return item ? this.schemaOf(item) : {};
  }

  /** The JSON Schema of a type, in full. */
  schemaOf(type: ts.Type, within: readonly ts.Type[] = []): JsonSchema {
    if (within.includes(type)) throw new Error(`${this.checker.typeToString(type)} contains itself.`);
    const inside = [...within, type];
    if (type.isUnion()) return this.unionOf(type.types, inside);
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (type.flags & ts.TypeFlags.BooleanLiteral) {
      return { const: this.checker.typeToString(type) === 'true' };
    }
    if (type.flags & ts.TypeFlags.String) return { type: 'string' };
    if (type.flags & ts.TypeFlags.Number) return { type: 'number' };
    if (type.flags & ts.TypeFlags.Null) return { type: 'null' };
    if (type.flags & (ts.TypeFlags.Unknown | ts.TypeFlags.Any)) return {};
    if (type.symbol?.name === 'Buffer') return { type: 'bytes' };
    if (this.checker.isArrayType(type) || this.checker.isTupleType(type)) {
      const items = this.checker.getTypeArguments(type as ts.TypeReference);
      return { type: 'array', items: this.unionOf(items, inside) };
    }
    return this.objectOf(type, inside);
  }

  private unionOf(types: readonly ts.Type[], within: readonly ts.Type[]): JsonSchema {
    const isAbsent = (type: ts.Type): boolean => (type.flags & ts.TypeFlags.Undefined) !== 0;
    const schemas = types.filter((type) => !isAbsent(type)).map((type) => this.schemaOf(type, within));
    const literals = schemas.flatMap((schema) => ('const' in schema ? [schema.const] : []));
    const isBoolean = literals.includes(true) && literals.includes(false);
    const named = literals.filter((value) => !isBoolean || typeof value !== 'boolean');
    const all: JsonSchema[] = [
      ...schemas.filter((schema) => !('const' in schema)),
      ...(isBoolean ? [{ type: 'boolean' }] : []),
      ...(named.length > 1
        ? [{ enum: named.map(String).toSorted() }]
        : named.map((value) => ({ const: value }))),
    ];
    // The compiler orders them by when it met them first.
    const sorted = all.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)));
    return sorted.length === 1 ? (sorted[0] ?? {}) : { anyOf: sorted };
  }

  private objectOf(type: ts.Type, within: readonly ts.Type[]): JsonSchema {
    const values = type.getStringIndexType();
    const properties = this.checker.getPropertiesOfType(type);
    const required = properties.filter(({ flags }) => !(flags & ts.SymbolFlags.Optional));
    return {
      type: 'object',
      ...(required.length > 0 ? { required: required.map(({ name }) => name) } : {}),
      ...(properties.length > 0
        ? {
            properties: Object.fromEntries(
              properties.map((property) => [
                property.name,
                this.schemaOf(this.checker.getTypeOfSymbol(property), within),
              ]),
            ),
          }
        : {}),
      ...(values ? { additionalProperties: this.schemaOf(values, within) } : {}),
    };
  }

  private property(type: ts.Type, name: string): ts.Type {
    const property = this.checker.getNonNullableType(type).getProperty(name);
    if (!property) throw new Error(`${this.checker.typeToString(type)} has no ${name}.`);
    return this.checker.getNonNullableType(this.checker.getTypeOfSymbol(property));
  }
}
