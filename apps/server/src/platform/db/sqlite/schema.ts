import type { SchemaDialect } from '../migration.ts'

export const sqliteSchema: SchemaDialect = {
  engine: 'sqlite',
  types: {
    int: 'INTEGER',
    real: 'REAL',
    text: 'TEXT',
    uuid: 'TEXT',
    time: 'INTEGER',
    bool: 'INTEGER',
    json: 'TEXT',
    blob: 'BLOB',
    vector: 'BLOB',
    table: 'STRICT',
    clustered: 'STRICT, WITHOUT ROWID',
  },
}
