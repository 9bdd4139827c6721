import type { SchemaDialect } from '../migration.ts'

export const postgresSchema: SchemaDialect = {
  engine: 'postgres',
  types: {
    int: 'int8',
    real: 'float8',
    // Code point order, as in TypeScript, regardless of the database's locale.
    text: 'text COLLATE "C"',
    uuid: 'uuid',
    time: 'int8',
    bool: 'boolean',
    json: 'text',
    blob: 'bytea',
    vector: 'vector',
    table: '',
    clustered: '',
  },
}
