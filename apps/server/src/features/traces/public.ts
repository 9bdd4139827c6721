export { langfuseParts } from './convert/langfuse.ts'
export { mergeSteps } from './convert/merge.ts'
export { otlpParts, type TracePart } from './convert/otlp.ts'
export { phoenixParts } from './convert/phoenix.ts'
