import type { SchemaDialect } from '../migration.ts'

export const postgresSchema: SchemaDialect = {
  engine: 'postgres',
  types: {
    int: 'int8',
    real: 'float8',
    // NOTE: code point order, as TypeScript compares, whatever the database's locale
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
