import Handlebars from 'handlebars'

/** Why a template can't be rendered. The message has the translation key `fault.<kind>`. `line` starts at 1. */
export type TemplateFault =
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly line: number; readonly near: string }
  | { readonly kind: 'unclosed' }
  | { readonly kind: 'mismatch'; readonly line: number; readonly opened: string; readonly closed: string }
  | { readonly kind: 'unknownHelper'; readonly line: number; readonly name: string }

const EXCERPT_LENGTH = 60
/** Helpers that the frame provides in addition to the helpers that are built into Handlebars. */
const knownHelpers = { json: true }

const lineOf = (template: string, line: number): string =>
  [...(template.split(/\r?\n/)[line - 1]?.trim() ?? '')].slice(0, EXCERPT_LENGTH).join('')

const numberIn = (match: RegExpExecArray | null, group: number): number => Number(match?.[group] ?? 1)

/** Extracts the error from the parser's message, because the parser doesn't report the unexpected token in any other way. */
const faultFromMessage = (template: string, message: string): TemplateFault => {
  const mismatch = /^(.+) doesn't match (.+) - (\d+):/.exec(message)
  if (mismatch) return { kind: 'mismatch', opened: mismatch[1] ?? '', closed: mismatch[2] ?? '', line: numberIn(mismatch, 3) }
  const helper = /unknown helper (.+) - (\d+):/.exec(message)
  if (helper) return { kind: 'unknownHelper', name: helper[1] ?? '', line: numberIn(helper, 2) }
  if (/got 'EOF'/.test(message)) return { kind: 'unclosed' }
  const line = numberIn(/(?:on line | - )(\d+)/.exec(message), 1)
  return { kind: 'unreadable', line, near: lineOf(template, line) }
}

/** Checks a Handlebars template without rendering a record. Returns null if the template can be rendered. */
export const checkTemplate = (template: string): TemplateFault | null => {
  try {
    Handlebars.precompile(template, { knownHelpers, knownHelpersOnly: true })
    return null
  } catch (error) {
    return faultFromMessage(template, error instanceof Error ? error.message : String(error))
  }
}
