import type { Config } from '#platform/config/read-config.ts'
import { migrations } from '#platform/db/migrate.ts'
import { appliedRevisions } from '#platform/db/revisions.ts'
import { CommandError } from '../command.ts'

/**
 * Opening an older store upgrades it. The server of the older version, which may be running, can't start on it again.
 * @throws CommandError if opening the store would upgrade it
 */
export const checkSchema = async (config: Config): Promise<void> => {
  const applied = await appliedRevisions(config)
  const at = applied.at(-1)
  if (at === undefined) {
    throw new CommandError("The database holds no Postil data. Name the right one; 'postil start' makes the tables in it.")
  }
  if (migrations.every(({ name }) => applied.includes(name))) return
  throw new CommandError(
    `The store is one of an older version of Postil (${at}), and stays so: a server of that version may be running on it. 'postil start' or 'postil database migrate' brings it up to date, after which only this version opens it.`,
  )
}
