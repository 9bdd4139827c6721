/** Whether a host belongs to the Hub or to a Space. */
export const isHubHost = (hostname: string): boolean => /(^|\.)(huggingface\.co|hf\.space)$/i.test(hostname)
