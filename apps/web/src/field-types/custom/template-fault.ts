import type { FieldSettingsOf } from '../define.ts'
import type { checkTemplate, TemplateFault } from './template-check.ts'

let check: typeof checkTemplate | null = null

/** Has the parser of templates, which is large, there for `templateFault`. */
export const loadTemplateCheck = async (): Promise<void> => {
  check ??= (await import('./template-check.ts')).checkTemplate
}

/** What is wrong with a template; before the parser is there, only whether there is one. */
export const templateFault = ({ template, advanced_mode: isPage }: FieldSettingsOf<'custom'>): TemplateFault | null => {
  if (template.trim() === '') return { kind: 'missing' }
  return isPage || check === null ? null : check(template)
}
