/** Whether what stands in an address can be the id of a dataset; whether there is one, the server knows. */
export const mayBeDatasetId = (text: string): boolean => /^[\da-f-]{32,36}$/i.test(text)
