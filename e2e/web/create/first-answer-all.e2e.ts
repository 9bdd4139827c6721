import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, test } from 'vitest'
import { seedUser } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { answerFirstRecord } from '../support/first-answer.ts'

const team = setUpSharedTeam()
beforeAll(() => seedUser(team.server, 'adam', 'admin', [team.workspaceId]))

const folder = join(import.meta.dirname, 'import-files')
const files = readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((one) =>
  one.isFile() ? [join(one.parentPath, one.name).slice(folder.length + 1)] : [],
)

test.each(files.toSorted())('the first record of %s can be answered without any change to the mapping', (path) =>
  answerFirstRecord(team, 'adam', path),
)
