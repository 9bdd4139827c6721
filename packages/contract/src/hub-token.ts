/** Header with a token of the hub for datasets that are not public; left out: what the server may read. */
export const hubTokenHeader = 'x-postil-hub-token'
