export const databaseName = 'postil'
export const schemaVersion = 1

/** Creates the stores of the browser's database. Each key starts with the user's ID. */
export const createStores = (db: Pick<IDBDatabase, 'createObjectStore'>): void => {
  db.createObjectStore('outbox', { keyPath: ['user_id', 'record_id'] })
  db.createObjectStore('drafts', { keyPath: ['user_id', 'record_id'] }).createIndex('by_dataset', ['user_id', 'dataset_id'])
}
