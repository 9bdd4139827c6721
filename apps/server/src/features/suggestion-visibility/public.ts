export { hidingRuleFor, type SuggestionRule, suggestionRuleOf, viewOfAnswer } from './rule.ts'
export { hidingRule, storeSuggestionSettings } from './settings.ts'
export { shownSuggestions } from './shown.ts'
