import { postMcp } from '@postil/contract/agents.ts'
import { endpoints } from '@postil/contract/endpoints.ts'
import { checkHubWith } from '@postil/contract/files/hub.ts'
import { checkMyFileWith } from '@postil/contract/files/imports.ts'
import { createQuestionWith } from '@postil/contract/questions.ts'
import { createRecordsWith, updateRecordWith, upsertRecordsWith } from '@postil/contract/records.ts'
import type { AnyEndpoint } from '@postil/contract/wire/endpoint.ts'
import type { Limits } from '@postil/contract/wire/limits.ts'
import '#features/records/bulk/bodies.ts'
import '#features/traces/body.ts'

/* The body pool's thread also loads this module. Therefore, the module must import every module that declares body parsers, and
   it must import no other features. */

/** All endpoints of the API, with the operator's limits applied, and the endpoint for agents. */
export const endpointsWith = (limits: Limits): readonly AnyEndpoint[] => {
  const limited: readonly AnyEndpoint[] = [
    createQuestionWith(limits),
    checkMyFileWith(limits),
    checkHubWith(limits),
    createRecordsWith(limits),
    upsertRecordsWith(limits),
    updateRecordWith(limits),
  ]
  return [...endpoints.map((endpoint) => limited.find(({ id }) => id === endpoint.id) ?? endpoint), postMcp]
}
