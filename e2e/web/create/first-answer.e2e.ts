import { variants } from '@postil/testkit/run-size.ts'
import { beforeAll, test } from 'vitest'
import { seedUser } from '../fixtures/seed.ts'
import { setUpSharedTeam } from '../fixtures/team.ts'
import { answerFirstRecord } from '../support/first-answer.ts'

const team = setUpSharedTeam()
beforeAll(() => seedUser(team.server, 'adam', 'admin', [team.workspaceId]))

// The files are of several kinds: a table, spans, labels, a conversation, a pair of answers, and a file that Postil exported.
// Full runs test all of them.
test.each(
  variants(1, [
    'excel-1252/export.csv',
    'labelstudio/export.json',
    'prodigy/choice.jsonl',
    'chat/openai-tools.jsonl',
    'preference/ultrafeedback.jsonl',
    'own-download/own.csv',
  ]),
)('the first record of %s can be answered without any change to the mapping', (path) => answerFirstRecord(team, 'adam', path))
