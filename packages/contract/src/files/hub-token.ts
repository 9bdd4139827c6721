/** Header with a token of the hub for datasets that are not public; left out: what the server may read. */
export const hubTokenHeader = 'x-postil-hub-token'

/** What a header can carry: a token with anything else fails on its way to the hub, and the fault would tell it to the log. */
export const hubTokenForm = /^[!-~]+$/
