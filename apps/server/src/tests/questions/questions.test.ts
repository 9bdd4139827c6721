import { bootServer, type TestServer } from '@postil/testkit/boot.ts'
import { isDailyRun } from '@postil/testkit/detail.ts'
import { isFullRun, variants } from '@postil/testkit/run-size.ts'
import { type StandInHub, startStandInHub } from '@postil/testkit/stand-in-hub/stand-in-hub.ts'
import { type StandInModel, startStandInModel } from '@postil/testkit/stand-in-model.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recount } from '#features/records/service.ts'
import { answerFeatures } from './testing/answers.ts'
import { changeFeatures } from './testing/changes.ts'
import { fileFeatures } from './testing/files.ts'
import { kindSamples } from './testing/kinds.ts'
import { resultFeatures } from './testing/results.ts'
import { createKindTeam } from './testing/team.ts'

/* Tests every feature with every type of question. Each type is tested with three questions: one without a condition, one with a
   condition, and one that is retired. */

// On PostgreSQL, all samples are tested only in full runs. Other runs test some of them, because only the store depends on the
// engine.
const samples = isFullRun || process.env['POSTIL_TEST_ENGINE'] !== 'postgres' ? kindSamples : variants(3, kindSamples)

let hub: StandInHub
let model: StandInModel
let server: TestServer
beforeAll(async () => {
  hub = await startStandInHub()
  model = await startStandInModel()
  const env = { HF_ENDPOINT: hub.url, POSTIL_DATASETS_SERVER: hub.url, POSTIL_MODELS_ALLOW_PRIVATE: 'true' }
  server = await bootServer({ env })
})
afterAll(async () => {
  expect(await recount(server.app.ctx)).toEqual([])
  await server.close()
  await model.close()
  await hub.close()
})

const features = {
  ...answerFeatures,
  ...resultFeatures,
  ...changeFeatures,
  ...fileFeatures(() => ({ hub, model })),
}

/** Daily runs test half of the combinations: each feature with every second kind, and each kind with every second feature. */
const featuresOf = (kind: number) => Object.entries(features).filter((_, feature) => !isDailyRun || (kind + feature) % 2 === 0)

describe.each(samples.map((sample, kind) => [sample.name, sample, kind] as const))('%s', (_, sample, kind) => {
  it.each(featuresOf(kind))('%s', async (_, test) => test(await createKindTeam(server, sample)))
})
