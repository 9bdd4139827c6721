import { command } from '#platform/db/operations.ts'

export const changeEntries = command('audit.test.change', async (db) => {
  await db.sql.updateTable('audit').set({ actor_name: 'nobody' }).execute()
})

export const removeEntries = command('audit.test.remove', async (db) => {
  await db.sql.deleteFrom('audit').execute()
})
