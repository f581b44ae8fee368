/**
 * Builds the client as a package and packs it: `npm install https://<service>/parley-client.tgz`.
 * @returns the path of the archive
 */
export declare function buildClient(outDir: string): Promise<string>;
