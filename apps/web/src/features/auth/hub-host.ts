/** Whether a host is the Hub's own or that of a Space. */
export const isHubHost = (hostname: string): boolean => /(^|\.)(huggingface\.co|hf\.space)$/i.test(hostname)
