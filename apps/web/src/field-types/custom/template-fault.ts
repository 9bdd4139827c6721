import type { FieldSettingsOf } from '@postil/contract/field-types/index.ts'
import type { checkTemplate, TemplateFault } from './template-check.ts'

let check: typeof checkTemplate | null = null

/** Loads the template parser for `templateFault`. It is large, so it is loaded on demand. */
export const loadTemplateCheck = async (): Promise<void> => {
  check ??= (await import('./template-check.ts')).checkTemplate
}

/** Returns the error in a template. Until the parser is loaded, only a missing template is detected. */
export const templateFault = ({ template, advanced_mode: isPage }: FieldSettingsOf<'custom'>): TemplateFault | null => {
  if (template.trim() === '') return { kind: 'missing' }
  return isPage || check === null ? null : check(template)
}
