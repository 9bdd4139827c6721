export { hidingRuleFor, type SuggestionRule, suggestionRuleOf, viewOfAnswer } from './rule.ts'
export { adoptSuggestionSettings, hidingRule } from './settings.ts'
export { shownSuggestions } from './shown.ts'
