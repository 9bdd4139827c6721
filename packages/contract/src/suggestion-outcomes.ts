import {
  type SuggestionOutcomes as Outcomes,
  type SuggestionOutcome,
  type SuggestionUse,
  suggestionOutcomes,
} from './suggestion-use.ts'
import { isJsonObject, textFault } from './wire/json.ts'
import { Fault, notDictionary, notString, scalar, valueError } from './wire/scalar.ts'

const outcomes: ReadonlySet<unknown> = new Set(suggestionOutcomes)
const maxLength = 200

const toShortText = (value: unknown, path: readonly string[]): string | Fault => {
  if (typeof value !== 'string') return notString(path)
  if (value.length > maxLength) return new Fault('string_too_long', `String should have at most ${maxLength} characters`, path)
  const fault = textFault(value)
  return fault === null ? value : valueError(fault, path)
}

const toUse = (entry: unknown, name: string): SuggestionUse | Fault => {
  if (!isJsonObject(entry)) return new Fault('dict_type', 'Input should be a valid dictionary', [name])
  const { outcome, agent = null } = entry
  if (!outcomes.has(outcome))
    return new Fault('enum', "Input should be 'confirmed', 'changed' or 'accepted_unseen'", [name, 'outcome'])
  const checked = agent === null ? null : toShortText(agent, [name, 'agent'])
  return checked instanceof Fault ? checked : { outcome: outcome as SuggestionOutcome, agent: checked }
}

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => (a < b ? -1 : a > b ? 1 : 0)

/** The entries are sorted by question name. Equal outcomes therefore have equal JSON, so the database can count them. */
export const SuggestionOutcomes = scalar<Outcomes>(
  {
    type: 'object',
    additionalProperties: {
      type: 'object',
      properties: { outcome: { enum: [...suggestionOutcomes] }, agent: { type: ['string', 'null'], maxLength } },
      required: ['outcome'],
    },
  },
  (value) => {
    if (!isJsonObject(value)) return notDictionary()
    const entries: [string, SuggestionUse][] = []
    for (const [name, entry] of Object.entries(value)) {
      const checked = toShortText(name, [name, '[key]'])
      if (checked instanceof Fault) return checked
      const use = toUse(entry, name)
      if (use instanceof Fault) return use
      entries.push([name, use])
    }
    return Object.fromEntries(entries.sort(byName))
  },
)
