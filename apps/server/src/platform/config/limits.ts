import type { Limits } from '@postil/contract/wire/limits.ts'
import type { Config } from './read-config.ts'

/** The contract's limits, with the operator's settings applied. */
export const limitsOf = (config: Config): Limits => ({
  labelOptions: config.labelOptionsMax,
  spanOptions: config.spanOptionsMax,
  roleLength: { min: config.minRoleLength, max: config.maxRoleLength },
  messageLength: { min: config.minMessageLength, max: config.maxMessageLength },
  answerBytes: config.maxAnswer,
})
