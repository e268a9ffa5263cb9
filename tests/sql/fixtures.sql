-- What other engines wrote.
SELECT count(*) FROM '${SHARED}/fixtures/delta/dat-deletion-vectors/table';
--|1
SELECT count(*) FROM '${SHARED}/fixtures/delta/drs-spark-shredded-variant-preview-delta/table';
--|102
SELECT count(*) FROM '${SHARED}/fixtures/delta/dat-column-mapping/table';
--|10
