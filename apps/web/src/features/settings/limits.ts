/** How long texts of a dataset's settings may be in the page's forms, in characters. The server allows more. */
export const questionTitleMax = 200
export const questionDescriptionMax = 500
export const fieldTitleMax = 500
export const metadataTitleMax = 500
export const vectorTitleMax = 500
export const minSubmittedMin = 1
export const maxPerPersonMin = 1
