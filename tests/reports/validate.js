// validate.js DIR FILE...: is each FILE a SARIF log by the official schema? DIR holds the two packages that sarif.sh fetched.
// The schema's version is the released one (rtm.5); formats (URIs, times) are checked, too.
'use strict';
const fs = require('fs');
const [directory, ...files] = process.argv.slice(2);
const read = path => JSON.parse(fs.readFileSync(path, 'utf8'));
const Ajv = require(`${directory}/ajv/package/dist/ajv.bundle.js`);
const ajv = new Ajv({schemaId: 'auto', allErrors: true, format: 'full'});
ajv.addMetaSchema(read(`${directory}/ajv/package/lib/refs/json-schema-draft-04.json`));
const validate = ajv.compile(read(`${directory}/schema/package/lib/schemas/sarif-2.1.0-rtm.5.json`));
let bad = false;
for (const file of files) {
    if (validate(read(file)))
        continue;
    bad = true;
    for (const error of validate.errors.slice(0, 10))
        console.log(`not ok ${file}: ${error.dataPath} ${error.message} ${JSON.stringify(error.params)}`);
}
process.exit(bad ? 1 : 0);
